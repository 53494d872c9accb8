/** What Vite resolves: the text of a file, and a style sheet for the page. */
declare module '*?raw' {
  const text: string;
  export default text;
}
declare module '*.css';
