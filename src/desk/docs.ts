// Placeholder: the documentation page signs in.
export {};
