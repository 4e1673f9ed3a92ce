import { type Claim, claimsOf } from "./claims.ts";
import { FILES, MESSAGE, REMOVAL } from "./effects.ts";
import { isFileName } from "./file-name.ts";
import { isDone } from "./word-roles.ts";

/** The maximum number of names that are looked for. */
const MOST = 50;
const LONGEST = 300;
const BETWEEN = /[\s"'“”‘’„«»「」『』`()<>[\]{},;:!?*|=、。，（）]/u;
/** Separators of the parts of a sentence. Each part has its own participle, or shares that of a neighbouring part. */
const PARTS = /[,;:()、，（）\n]|\s(?:and|or|but|then|und|oder|aber|sowie|et|ou|mais|puis|y|e|pero|o|mas|ma|poi)\s|[并和及と]/giu;
/** Verbs for what was done to a file, in languages without spaces. */
const UNSPACED = /创建|建立|新建|修改|更新|添加|写入|保存|生成|删除|移除|刪除|删|发送|发出|发给|作成|追加|変更|修正|書き|削除|送信/u;
const DENIED =
	/\b(?:not|never|cannot|unable|failed|without|nicht|kein\p{L}*|ohne|pas|sans|sin|sem|senza|não|non)\b|n['’]t\b|没|不|未|ない|ません|できず/u;
/** The end of a sentence, from words that introduce what a file was based on: "as described in notes.md". */
const REFERENCE =
	/\b(?:as|wie|comme|como|come)\s(?:\p{L}+\s)?(?:described|specified|requested|defined|outlined|beschrieben|décrit|descrito|descritto)\s.*$/isu;
/** Words before the name of a file that is only what something is about or comes from: "tests for a.ts". */
const ABOUT: ReadonlySet<string> = new Set(
	"for of about from using with like per via see describes described replaces imports uses on für von über aus mit laut wie pour de du des sur avec selon depuis para sobre con del com do da di su dal".split(
		" ",
	),
);
/** Words before the name of a file from which something was removed. */
const WITHIN: ReadonlySet<string> = new Set("from in inside of aus im in dans de du en del do da no na dal nel di".split(" "));
const ARTICLE: ReadonlySet<string> = new Set(
	"the a an file files my your its der die das den dem datei le la les un une fichier el los las archivo fichero o os as arquivo ficheiro il lo i gli".split(
		" ",
	),
);

/** The files that one part of a sentence names, and what it says was done to them. */
export interface NamedFiles {
	readonly names: readonly string[];
	/** True: the sentence says that the files were removed. */
	readonly isRemoved: boolean;
}

/**
 * The files in a sentence that claims that files were made or removed, by what it says of each: in "I saved a.md, b.md and deleted c.md",
 * each part needs its own evidence, and in "I copied a.md to b.md" evidence of one file is enough. A list that follows the sentence after a
 * colon belongs to it. Empty for any other sentence. Pure.
 */
export function filesIn(text: string, { start, end, acts }: Claim): readonly NamedFiles[] {
	if (acts === undefined) return [];
	const parts = partsOf(text.slice(start, end));
	const listed = /[:：][\s*_]*$/u.test(text.slice(start, end)) ? listedFiles(text.slice(end, end + LIST)) : [];
	const lead = parts.findLast(({ said }) => said !== undefined);
	// "Removed unused imports:" before a list does not say that the files in the list were removed.
	const isOfList = lead?.said === "made" || (lead?.said === "removed" && lead.isOfFiles);
	const inList = isOfList ? listed.map((name) => ({ names: [name], isRemoved: lead.said === "removed" })) : [];
	return [...inList, ...inParts(parts)];
}

/** The longest list that is read, in UTF-16 units. */
const LIST = 20_000;
const ITEM = /^(?:[-*+•]|\d{1,3}[.)])\s/u;

/** The files that the items of a list begin with: "I created these files:", then "- `a.md`: the report". */
function listedFiles(rest: string): readonly string[] {
	const names: string[] = [];
	for (const line of rest.split("\n")) {
		if (line.trim() === "") continue;
		const [mark] = ITEM.exec(line.trim()) ?? [];
		if (mark === undefined) break;
		const item = line.trim().slice(mark.length);
		const first = unmarked(withoutEnd(item.split(BETWEEN).find((word) => unmarked(word) !== "") ?? ""));
		if (first.length <= LONGEST && isFileName(first)) names.push(first);
	}
	return names.slice(0, MOST);
}

function inParts(parts: readonly Part[]): readonly NamedFiles[] {
	return parts.flatMap(({ names, within, said }, at): readonly NamedFiles[] => {
		const verb = said ?? inherited(parts, at);
		if (verb === "made" && names.length > 0) return [{ names, isRemoved: false }];
		if (verb !== "removed") return [];
		const [removed, edited] = [names.filter((name) => !within.has(name)), names.filter((name) => within.has(name))];
		// Each removed file must be gone, so each has its own entry. For files that were only edited, evidence of one is enough.
		const gone = removed.map((name) => ({ names: [name], isRemoved: true }));
		return edited.length === 0 ? gone : [...gone, { names: edited, isRemoved: false }];
	});
}

/** For a part that only names files: what a neighbouring part says about them, as in "I saved a.md, b.md" or "Ich habe a.md, b.md gespeichert". */
function inherited(parts: readonly Part[], at: number): Part["said"] {
	const { lead = 0 } = parts[at] ?? {};
	const before = lead > 0 ? undefined : parts.slice(0, at).findLast(({ said }) => said !== undefined);
	const source = before ?? (lead > SUBJECT ? undefined : parts.slice(at).find(({ said }) => said !== undefined));
	// "Removed unused imports: a.ts" does not say that a.ts was removed.
	return source?.said === "removed" && source.names.length === 0 && !source.isOfFiles ? undefined : source?.said;
}

interface Part {
	/** The files that the part names, apart from those that something is only about. */
	readonly names: readonly string[];
	/** Those of them that only had something removed from their content. */
	readonly within: ReadonlySet<string>;
	/** What the part says was done to the files; "denied" if it says that nothing was. */
	readonly said: "made" | "removed" | "sent" | "denied" | undefined;
	/** How many words come before the first name, apart from articles. */
	readonly lead: number;
	/** True if the part mentions files in general, such as "files" or "folder". */
	readonly isOfFiles: boolean;
}

function partsOf(sentence: string): readonly Part[] {
	return sentence.split(PARTS).map((part = "") => {
		const tokens = part
			.replace(REFERENCE, "")
			.split(BETWEEN)
			.map(withoutEnd)
			.filter((word) => word !== "");
		const folded = tokens.map((word) => unmarked(word.toLowerCase()));
		const before = (at: number) => folded.slice(0, at).findLast((word) => !ARTICLE.has(word)) ?? "";
		const isName = tokens.map((word) => word.length <= LONGEST && isFileName(word));
		const said = saidOf(folded.filter((_, at) => !isName[at]));
		const inside = tokens.filter((_, at) => isName[at] && said === "removed" && WITHIN.has(before(at)));
		const names = tokens.filter((word, at) => isName[at] && (inside.includes(word) || !ABOUT.has(before(at))));
		const lead = folded.slice(0, Math.max(0, isName.indexOf(true))).filter((word) => !ARTICLE.has(word));
		const rest = folded.filter((word, at) => !isName[at] && /\p{L}/u.test(word));
		return { names, within: new Set(inside), said, lead: lead.length, isOfFiles: FILES.test(rest.join(" ")) };
	});
}

/** The maximum number of words before names whose participle follows, as in "Ich habe a.md gespeichert". */
const SUBJECT = 2;

function saidOf(words: readonly string[]): Part["said"] {
	if (DENIED.test(words.join(" "))) return "denied";
	const done = words.filter((word) => isDone(word) || UNSPACED.test(word));
	if (done.some((word) => REMOVAL.test(word))) return "removed";
	if (done.some((word) => MESSAGE.test(word))) return "sent";
	return done.length > 0 ? "made" : undefined;
}

/** The files that a text says were made or removed, each once and spelled as in the text. Pure. */
export function namedFiles(text: string): readonly string[] {
	const named = claimsOf(text, { most: 2 * MOST }).flatMap((claim) => filesIn(text, claim));
	return [...new Set(named.flatMap(({ names }) => names))].slice(0, MOST);
}

/** The word without full stops, ellipses and marks of emphasis at its end. */
function withoutEnd(word: string): string {
	let end = word.length;
	while (end > 0 && ".…_~".includes(word.charAt(end - 1))) end--;
	return word.slice(0, end);
}

/** The word without marks of emphasis around it. */
function unmarked(word: string): string {
	let [from, to] = [0, word.length];
	while (from < to && "_~*".includes(word.charAt(from))) from++;
	while (to > from && "_~*".includes(word.charAt(to - 1))) to--;
	return word.slice(from, to);
}
