<?php
// Receives webhooks and verifies them. Start: WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:3000 receiver.php
$secret = getenv('WEBHOOK_SECRET');
if (!$secret) {
    error_log('Set WEBHOOK_SECRET to the secret of the webhook: whsec_...');
    http_response_code(500);
    exit;
}
$key = base64_decode(preg_replace('/^whsec_/', '', $secret));
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
$genuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
    $genuine = hash_equals($expected, $given) || $genuine;
}
if (!$genuine || abs(time() - (int) $time) > 300) {
    http_response_code(401);
    exit;
}
error_log(json_decode($body, true)['event']);
http_response_code(204);
