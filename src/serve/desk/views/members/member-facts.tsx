// What is known of a member and cannot be edited here.
import { useTime } from '../../context.ts';
import type { Member } from '../../records.ts';
import { number } from '../../ui/words.ts';

export const MemberFacts = ({ member }: { readonly member: Member }) => {
  const time = useTime();
  return (
    <aside class="card">
      <h2>Details</h2>
      <dl>
        <dt>Since</dt>
        <dd>{time(member.created_at)}</dd>
        <dt>Last seen</dt>
        <dd>{time(member.last_seen_at)}</dd>
        <dt>E-mails</dt>
        <dd>
          {number(member.email_count)} sent, {number(member.email_opened_count)} opened
          {member.email_open_rate !== null && ` (${member.email_open_rate} %)`}
        </dd>
        {member.email_suppression.suppressed && (
          <>
            <dt>Suppressed</dt>
            <dd>
              {member.email_suppression.info === 'spam'
                ? 'The member reported a mail as spam.'
                : 'Mails to the address fail.'}
            </dd>
          </>
        )}
        {member.tiers.map((tier) => (
          <TierFact key={tier.id} name={tier.name} expiryAt={tier.expiry_at} />
        ))}
        {member.subscriptions
          .filter(({ id }) => id !== '')
          .map((subscription) => (
            <SubscriptionFact key={subscription.id} subscription={subscription} />
          ))}
        {member.attribution?.url && (
          <>
            <dt>Attribution</dt>
            <dd>{member.attribution.title || member.attribution.url}</dd>
          </>
        )}
      </dl>
      <p>
        <a href={member.unsubscribe_url} target="_blank" rel="noreferrer">
          The member’s page to unsubscribe
        </a>
      </p>
    </aside>
  );
};

type TierProps = { readonly name: string; readonly expiryAt: string | null };

const TierFact = ({ name, expiryAt }: TierProps) => {
  const time = useTime();
  return (
    <>
      <dt>Tier</dt>
      <dd>
        {name}
        {expiryAt !== null && `, until ${time(expiryAt)}`}
      </dd>
    </>
  );
};

type Subscription = Member['subscriptions'][number];

const SubscriptionFact = ({ subscription }: { readonly subscription: Subscription }) => {
  const { price, status, current_period_end, cancel_at_period_end } = subscription;
  const time = useTime();
  const amount = new Intl.NumberFormat('en', { style: 'currency', currency: price.currency });
  return (
    <>
      <dt>Subscription</dt>
      <dd>
        {status}, {amount.format(price.amount / 100)}
        {price.interval !== null && ` a ${price.interval}`},{' '}
        {cancel_at_period_end ? 'ends' : 'until'} {time(current_period_end)}
      </dd>
    </>
  );
};
