// Takes a mark off the ends of a text, however often it stands there, in one pass.

export const trimEndOf = (text: string, mark: string): string => {
  let end = text.length;
  while (text[end - 1] === mark) end -= 1;
  return text.slice(0, end);
};

export const trimOf = (text: string, mark: string): string => {
  let start = 0;
  while (text[start] === mark) start += 1;
  return trimEndOf(text.slice(start), mark);
};
