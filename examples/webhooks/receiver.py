# Receives webhooks and verifies them. Start: WEBHOOK_SECRET=whsec_... PORT=3000 python3 receiver.py
import base64, hashlib, hmac, json, os, sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET")
if not SECRET:
    sys.exit("Set WEBHOOK_SECRET to the secret of the webhook: whsec_...")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))


def is_genuine(headers, body):
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        if genuine:
            print(json.loads(body)["event"], flush=True)
        self.send_response(204 if genuine else 401)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
