// What else stands in the configuration of a typical nginx: as h5bp's server configs have it, and as sites of one
// page do. None of it may change what is answered below `/content`.
export const OTHER_HTTP = `
  charset utf-8;
  gzip on; gzip_min_length 1; gzip_types application/json text/css;
  map $sent_http_content_type $expires { default 1M; "~*application/json" 0; "~*image/" 1y; }
`;

export const OTHER_SERVER = `
  root /var/empty;
  index index.html;
  expires $expires;
  add_header X-Frame-Options DENY;
  error_page 404 /404.html;
  rewrite ^/old/(.*)$ /new/$1 permanent;
  location / { try_files $uri $uri/ /index.html; }
  location ~* \\.(?:manifest|appcache|html?|xml|json)$ { expires -1; root /var/empty; }
  location ~* \\.(?:jpg|jpeg|gif|png|ico|cur|gz|svg|svgz)$ { expires 1M; access_log off; }
  location ~* (?:#.*#|\\.(?:bak|conf|dist|fla|in[ci]|log|orig|psd|sh|sql|sw[op])|~)$ { deny all; }
  location ~* /\\.(?!well-known/) { deny all; }
  location ~ /slug/ { return 410; }
  location ~ ^/(?:ghost|content) { return 502; }
`;
