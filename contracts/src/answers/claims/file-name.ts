/** A word that ends with one of these names a file. Words with other endings are often hosts or versions. */
const EXTENSIONS: ReadonlySet<string> = new Set(
	[
		"md markdown txt rtf csv tsv json jsonl xml yml yaml toml ini html htm css pdf doc docx xls xlsx ppt",
		"pptx odt ods odp ics png jpg jpeg gif svg webp mp3 mp4 wav zip tar gz py rb rs go java kt c h cpp ts",
		"tsx js jsx mjs sh sql log ipynb",
	]
		.join(" ")
		.split(" "),
);
/** Node.js and similar product names. */
const PRODUCT = /^\p{Lu}\p{Ll}+\.js$/u;
/** A folder in front of the name of a file: "src/" in "src/a.ts". */
const FOLDERS = /(?<![\p{L}\p{N}./_-])(?:[\p{L}\p{N}._-]+\/)+(?=[\p{L}\p{N}_-]+\.\p{L})/gu;
const PRODUCTS = /(?<!\p{L})(\p{Lu}\p{Ll}+)\.js(?!\p{L})/gu;

/** The last part of a path. */
export function fileName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a word is the name or the path of a file. */
export function isFileName(word: string): boolean {
	const point = word.lastIndexOf(".");
	return point > 0 && !word.includes("://") && EXTENSIONS.has(word.slice(point + 1).toLowerCase()) && !PRODUCT.test(word);
}

/** The text without the folders in front of file names, and without the ".js" of product names, which would look like file names. */
export function withPlainFileNames(text: string): string {
	return text.replace(FOLDERS, "").replace(PRODUCTS, "$1");
}
