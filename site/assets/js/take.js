// Writes tables to files and the clipboard. A table is a list of rows, each a list of texts and numbers.

// Uploads name modules, and a spreadsheet takes text that begins like this for a formula. One more apostrophe makes it
// text. Text that begins with an apostrophe gets one more, too, so that a reader can take it off again. The data set
// has the same rule: looksLikeFormula in api/dataset/text.go.
const cell = (value) => {
  let text = String(value ?? "");
  if (typeof value !== "number" && /^['=+\-@＝＋－＠\t\r]/.test(text)) text = "'" + text;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const csv = (rows) => rows.map((row) => row.map(cell).join(",") + "\r\n").join("");

export const escaped = (text) => text.replace(/[\\`*_[\]<>|~#&]/g, "\\$&");

// The cells are Markdown already.
export const markdown = ([head, ...rows]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("");

export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
