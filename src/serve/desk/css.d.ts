// The style of the desk, which the bundle takes out.
declare module '*.css';
