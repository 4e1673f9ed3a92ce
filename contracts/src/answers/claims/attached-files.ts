import { isFileName } from "./file-name.ts";
import { foldedText } from "./folded-text.ts";

const BETWEEN = /[\s"'“”‘’„«»`<>[\],:*、，。（）]+|(?=[;()–—])|(?<=[;()–—])/u;
const ENDS: ReadonlySet<string> = new Set([";", "(", ")", "–", "—"]);
/** Words that show that the files after them are only a subject or a source, or that something other than attaching was done to them. */
const ELSEWHERE =
	/^(?:of|about|from|using|for|like|per|via|based|describing|read|opened|used|parsed|converted|compared|analy[sz]ed|checked|edited|changed|updated|reviewed|looked|replaces|von|aus|über|für|mit|laut|gelesen|geändert|de|du|des|depuis|pour|sur|avec|lu|modifié|desde|para|sobre|con|leído|do|da|com|li|di|dal|per|letto)$/u;
/** Words after which a file is the result: "converted data.csv to data.pdf", "read a.csv and saved b.pdf". */
const RESULTS =
	/^(?:to|into|as|named|called|als|created|saved|wrote|made|generated|exported|erstellt|gespeichert|créé|enregistré|creado|guardado|criado|salvo|creato|salvato)$/u;
const ATTACHES = /^(?:attach|enclos|anhang|anlage|angehängt|beigefügt|beigelegt|anbei|joint|jointe|adjunt|anex|alleg)|附|添付|同封/u;

/** The files that a sentence says are attached, without those that it only mentions: "report.pdf, based on data.csv, is attached". Pure. */
export function attachedNames(sentence: string): readonly string[] {
	const names: string[] = [];
	let isElsewhere = false;
	for (const token of sentence.split(BETWEEN)) {
		const word = /[.!?…]$/u.test(token) ? token.slice(0, -1) : token;
		const folded = word.toLowerCase();
		if (isFileName(word)) {
			if (!isElsewhere) names.push(word);
		} else if (ENDS.has(word) || ATTACHES.test(folded) || RESULTS.test(folded)) isElsewhere = false;
		else if (ELSEWHERE.test(folded)) isElsewhere = true;
	}
	return names;
}

/** Words for types of files, each with the endings that it may mean. */
const TYPES: readonly (readonly [RegExp, RegExp])[] = [
	[/\bpdfs?\b/u, /\.pdf$/iu],
	[/\bcsvs?\b/u, /\.(?:csv|tsv)$/iu],
	[/\b(?:zips?|zip[- ](?:archive|file|datei))\b(?! codes?\b)/u, /\.(?:zip|gz|tgz)$/iu],
	[/\bjson\b/u, /\.(?:json|jsonl|ipynb)$/iu],
	[/\bxml\b/u, /\.(?:xml|svg|rss|xsd)$/iu],
	[
		/\b(?:spreadsheets?|xlsx?|excel[- ](?:files?|sheets?|spreadsheets?|tables?|workbooks?|datei|tabelle|documents?)|(?:fichier|archivo|arquivo|ficheiro|file) excel)\b/u,
		/\.(?:xlsx|xlsm|xls|ods|csv|tsv|numbers)$/iu,
	],
	[/\b(?:docx?|word[- ](?:files?|documents?|dokument|datei)|(?:document|fichier|documento) word)\b/u, /\.(?:docx?|odt|rtf)$/iu],
	[/\b(?:pptx?|powerpoints?)\b/u, /\.(?:pptx?|odp|key)$/iu],
	[/\b(?:photos?|pictures?|screenshots?|fotos?)\b/u, /\.(?:png|jpe?g|gif|webp|heic|avif|svg|bmp|tiff?|pdf|zip)$/iu],
];
/** Mentions of files other than the attached ones: "a summary of the PDF", "exported from your PDF files". */
const ABOUT =
	/\b(?:(?:of|from|about|for|on|in|into|to|with|using)(?: (?:the|your|that|this|these|those|his|her|their|its|our|my|all|both)){1,2}|of|from|about|you sent) (?:[\p{L}\p{N}-]{1,30} )?(?:pdfs?|csvs?|zips?|json|xml|spreadsheets?|xlsx?|excel|docx?|word|pptx?|powerpoints?|photos?|pictures?|screenshots?)\b/gu;

/** Matches the boundaries between words and separators, so that a split keeps both. */
const WORDS = /(?<=[\s"'(),;:])|(?=[\s"'(),;:]|[.!?](?:\s|$))/u;

/** Whether the files have every type that a sentence names: "the PDF report is attached". Pure. */
export function haveTypes(paths: readonly string[], sentence: string): boolean {
	const said = foldedText(
		sentence
			.split(WORDS)
			.filter((word) => !isFileName(word))
			.join(""),
	).replace(ABOUT, " ");
	return TYPES.every(([word, ending]) => !word.test(said) || paths.some((path) => ending.test(path)));
}
