import { type Claim, claimsOf } from "./claims.ts";

/** The most names that are looked for. */
const MOST = 50;
const LONGEST = 300;
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
const FILE = /\b(?:file|datei|fichier|archivo|fichero|arquivo|ficheiro)\b/u;
const BETWEEN = /[\s"'“”‘’„«»「」『』`()<>[\]{},;:!?*|=、。，（）]/u;
/** A file that was removed or renamed is expected to be gone. */
const REMOVED: readonly string[] = [
	...["remov", "delet", "renam", "moved", "entfernt", "gelöscht", "geloscht", "umbenannt", "verschoben", "supprim", "renomm", "déplac"],
	...["deplac", "elimin", "borrad", "renombr", "movid", "rimoss", "rinomin", "spostat", "excluí", "exclui", "renomead", "apagad"],
	...["删除", "刪除", "移动", "移動", "重命名", "削除", "名前を変"],
];

/** The file names in a sentence that claims that files were made; empty for any other sentence. Pure. */
export function filesIn(text: string, { start, end, isOfFile }: Claim): readonly string[] {
	const sentence = text.slice(start, end);
	const folded = sentence.toLowerCase();
	// "The file" is one of the expressions for something that may exist elsewhere.
	if (!(isOfFile || FILE.test(folded)) || REMOVED.some((word) => folded.includes(word))) return [];
	return sentence
		.split(BETWEEN)
		.map(withoutEnd)
		.filter((word) => word.length <= LONGEST && isFile(word));
}

/** The files that a text says were made, each once and spelled as in the text. Pure. */
export function namedFiles(text: string): readonly string[] {
	const names = new Set(claimsOf(text, { most: 2 * MOST }).flatMap((claim) => filesIn(text, claim)));
	return [...names].slice(0, MOST);
}

/** The word without the full stop that ends the sentence. */
function withoutEnd(word: string): string {
	let end = word.length;
	while (end > 0 && ".…_~".includes(word.charAt(end - 1))) end--;
	return word.slice(0, end);
}

function isFile(word: string): boolean {
	const point = word.lastIndexOf(".");
	return point > 0 && !word.includes("://") && EXTENSIONS.has(word.slice(point + 1).toLowerCase()) && !PRODUCT.test(word);
}
