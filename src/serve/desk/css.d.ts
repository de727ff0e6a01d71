// The style of the desk, which the bundle takes out, and that of Ghost's editor, which is a text in its chunk.
declare module '@tryghost/koenig-lexical/dist/style.css' {
  const style: string;
  export default style;
}
declare module '*.css';
