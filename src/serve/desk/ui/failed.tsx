// A failure, as a sentence that screen readers read out at once.
export const Failed = ({ error }: { readonly error: string | null | undefined }) =>
  error ? (
    <p role="alert" class="failure">
      {error}
    </p>
  ) : null;
