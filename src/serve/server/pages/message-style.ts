// How the few pages of this server look: the publication's accent colour as an ornament and on buttons, light and dark.

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const ACCENT = '#1d5fbf';

/** `accent`: as the setting has it; what is no colour in hexadecimal digits is left out. */
export const messageStyle = (accent: string | null): string => {
  const color = accent !== null && HEX.test(accent) ? accent : ACCENT;
  return STYLE.replaceAll('ACCENT', color).replaceAll('READABLE', readableOn(color));
};

/** Black or white, whichever differs more: at least 4.5 to 1 on any colour. */
const readableOn = (color: string): string => {
  const digits = color.slice(1);
  const whole = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(whole.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.179 ? '#000' : '#fff';
};

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0;background:light-dark(#f7f7f5,#16181b);color:light-dark(#1d1f22,#ececea);',
  'font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}',
  'main{max-width:32rem;margin:14vh auto 2rem;padding:2rem;background:light-dark(#fff,#1f2226);',
  'border:1px solid light-dark(#d9d9d4,#3a3f46);border-top:6px solid ACCENT;border-radius:8px;box-sizing:border-box}',
  '@media(max-width:36rem){main{margin:1rem;padding:1.25rem}}',
  'p{margin:.75rem 0}h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}',
  '.name{font-weight:650;margin:0}.name a{color:inherit;text-decoration:none}.name a:hover{text-decoration:underline}',
  '.more{color:light-dark(#5c6066,#a9aeb6);font-size:.9375rem}',
  'a{color:light-dark(#1d5fbf,#8ab8ff)}',
  'button{font:inherit;font-weight:600;padding:.5rem 1.25rem;border:1px solid light-dark(#8a8a84,#7d838c);',
  'border-radius:8px;background:ACCENT;color:READABLE;cursor:pointer}',
  ':focus-visible{outline:3px solid light-dark(#1d5fbf,#8ab8ff);outline-offset:2px}',
].join('');
