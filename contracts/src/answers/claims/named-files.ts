import { type Claim, claimsOf } from "./claims.ts";
import { FILES, MESSAGE, REMOVAL } from "./effects.ts";
import { fileName, isFileName } from "./file-name.ts";
import { isDone } from "./word-roles.ts";

/** The maximum number of names that are looked for. */
const MOST = 50;
const LONGEST = 300;
/** How many of an item's words are read to find its file. Marks of emphasis count as words. */
const ITEM_WORDS = 20;
const BETWEEN = /[\s"'“”‘’„«»「」『』`()<>[\]{},;:!?*|=、。，（）]/u;
/** Separators of the parts of a sentence. Each part has its own participle, or shares the participle of a neighboring part. */
const PARTS = /[,;:()、，（）\n]|\s(?:and|or|but|then|und|oder|aber|sowie|et|ou|mais|puis|y|e|pero|o|mas|ma|poi)\s|[并和及と]/giu;
/** Verbs for what was done to a file, in languages without spaces. */
const UNSPACED = /创建|建立|新建|修改|更新|添加|写入|保存|生成|删除|移除|刪除|删|发送|发出|发给|作成|追加|変更|修正|書き|削除|送信/u;
const DENIED =
	/\b(?:not|never|cannot|unable|failed|without|nicht|kein\p{L}*|ohne|pas|sans|sin|sem|senza|não|non)\b|n['’]t\b|没|不|未|ない|ません|できず/u;
/** The end of a sentence, from words that introduce what a file was based on: "as described in notes.md". */
const REFERENCE =
	/\b(?:as|wie|comme|como|come)\s(?:\p{L}+\s)?(?:described|specified|requested|defined|outlined|beschrieben|décrit|descrito|descritto)\s.*$/isu;
/** Words before the name of a file that is only a subject or a source: "tests for a.ts". */
const ABOUT: ReadonlySet<string> = new Set(
	"for of about from using with like per via see describes described replaces imports uses on für von über aus mit laut wie pour de du des sur avec selon depuis para sobre con del com do da di su dal".split(
		" ",
	),
);
/** Words before the name of a file from which something was removed. */
const WITHIN: ReadonlySet<string> = new Set("from in inside of aus im in dans de du en del do da no na dal nel di".split(" "));
/** Verbs after which only the file with the second name has to exist: "I renamed a.md to b.md". */
const MOVED =
	/^(?:renamed|moved|umbenannt|verschoben|renommé\p{L}*|déplacé\p{L}*|renombr\p{L}*|movid\p{L}|renomead\p{L}|rinominat\p{L}|spostat\p{L})$/u;
const INTO: ReadonlySet<string> = new Set("to as into nach zu als in en vers a para como su come".split(" "));
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
	/** The old name, if the sentence says that a file was given another one: "I renamed a.md to b.md". */
	readonly from?: string;
}

/**
 * Finds the files that a text claims were made or removed, for one of its claims at a time, grouped by the evidence that they need: in "I
 * saved a.md, b.md and deleted c.md", each part needs its own, and in "I copied a.md to b.md" evidence of one file is enough. A list that
 * follows the sentence after a colon belongs to it. Returns none for any other claim. Each item of a list is read only once, because every
 * item may itself be a sentence that makes such a claim. Pure.
 */
export function filesReader(text: string): (claim: Claim) => readonly NamedFiles[] {
	const lists = new Lists(text);
	return ({ start, end, acts }) => {
		if (acts === undefined) return [];
		const sentence = text.slice(start, end);
		const parts = partsOf(sentence);
		const lead = parts.findLast(({ said }) => said !== undefined);
		// "Removed unused imports:" before a list does not say that the files in the list were removed.
		const isOfList = lead?.said === "made" || (lead?.said === "removed" && lead.isOfFiles);
		const listed = isOfList && /[:：][\s*_]*$/u.test(sentence) ? lists.after(end) : [];
		return [...listed.map((name) => ({ names: [name], isRemoved: lead?.said === "removed" })), ...inParts(parts)];
	};
}

/** How many lines of a list are read, and how many UTF-16 units of each line. */
const LINES = 200;
const LINE = 2_000;
const ITEM = /^(?:[-*+•]|\d{1,3}[.)])\s/u;

interface Line {
	/** "blank" lines may separate the items of a list. Any "other" line ends it. */
	readonly kind: "item" | "blank" | "other";
	/** The file that an item begins with: "- `a.md`: the report". */
	readonly file?: string;
	/** Where the next line begins. */
	readonly next: number;
}

/** The lists of files in a text: "I created these files:", then an item on each line. */
class Lists {
	readonly #lines = new Map<number, Line>();
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
	}

	/** The files of the list that begins at this place, which is the end of a sentence. */
	after(start: number): readonly string[] {
		const files: string[] = [];
		let at = start;
		for (let line = 0; line < LINES && at < this.#text.length && files.length < MOST; line++) {
			const { kind, file, next } = this.#lineAt(at);
			if (kind === "other") break;
			if (file !== undefined) files.push(file);
			at = next;
		}
		return files;
	}

	#lineAt(start: number): Line {
		const known = this.#lines.get(start);
		if (known !== undefined) return known;
		const end = this.#text.indexOf("\n", start);
		const next = end === -1 ? this.#text.length : end + 1;
		const read = { ...lineOf(this.#text.slice(start, Math.min(next, start + LINE)).trim()), next };
		this.#lines.set(start, read);
		return read;
	}
}

function lineOf(line: string): Pick<Line, "kind" | "file"> {
	if (line === "") return { kind: "blank" };
	const [mark] = ITEM.exec(line) ?? [];
	if (mark === undefined) return { kind: "other" };
	const words = line.slice(mark.length).split(BETWEEN, ITEM_WORDS);
	const first = unmarked(withoutEnd(words.find((word) => unmarked(word) !== "") ?? ""));
	return { kind: "item", ...(first.length <= LONGEST && isFileName(first) && { file: first }) };
}

function inParts(parts: readonly Part[]): readonly NamedFiles[] {
	const [before, after] = [lastSaying(parts), lastSaying(parts.toReversed()).toReversed()];
	return parts.flatMap(({ names, within, said, lead, from }, at): readonly NamedFiles[] => {
		const verb = said ?? inherited(lead, before[at], after[at]);
		if (verb === "made" && names.length > 0) return [{ names, isRemoved: false, ...(from !== undefined && { from }) }];
		if (verb !== "removed") return [];
		const [removed, edited] = [names.filter((name) => !within.has(name)), names.filter((name) => within.has(name))];
		// Each removed file must be gone, so each has its own entry. For files that were only edited, evidence of one is enough.
		const gone = removed.map((name) => ({ names: [name], isRemoved: true }));
		return edited.length === 0 ? gone : [...gone, { names: edited, isRemoved: false }];
	});
}

/** For each part, the part itself or the nearest earlier part that says what was done. */
function lastSaying(parts: readonly Part[]): readonly (Part | undefined)[] {
	let last: Part | undefined;
	return parts.map((part) => {
		if (part.said !== undefined) last = part;
		return last;
	});
}

/**
 * For a part that only names files: what a neighboring part says about them, as in "I saved a.md, b.md" or "Ich habe a.md, b.md
 * gespeichert".
 */
function inherited(lead: number, before: Part | undefined, after: Part | undefined): Part["said"] {
	const source = (lead > 0 ? undefined : before) ?? (lead > SUBJECT ? undefined : after);
	// "Removed unused imports: a.ts" does not say that a.ts was removed.
	return source?.said === "removed" && source.names.length === 0 && !source.isOfFiles ? undefined : source?.said;
}

interface Part {
	/** The files that the part names, except those that are only a subject or a source, and except the old name of a file that was moved. */
	readonly names: readonly string[];
	/** The subset of `names` whose files only had something removed from their content. */
	readonly within: ReadonlySet<string>;
	/** What the part says was done to the files; "denied" if it says that nothing was. */
	readonly said: "made" | "removed" | "sent" | "denied" | undefined;
	/** How many words come before the first name, not counting articles. */
	readonly lead: number;
	/** True if the part mentions files in general, such as "files" or "folder". */
	readonly isOfFiles: boolean;
	/** The old name of a file that was given another one. Undefined if it was only moved to another folder. */
	readonly from: string | undefined;
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
		const named = tokens.filter((word, at) => isName[at] && (inside.includes(word) || !ABOUT.has(before(at))));
		const names = [...new Set(named)];
		const lead = folded.slice(0, Math.max(0, isName.indexOf(true))).filter((word) => !ARTICLE.has(word));
		const rest = folded.filter((word, at) => !isName[at] && /\p{L}/u.test(word));
		const ofContent = WITHIN.has(before(isName.indexOf(true)));
		const isMoved =
			said === "made" &&
			names.length === 2 &&
			!ofContent &&
			folded.some((word) => MOVED.test(word)) &&
			INTO.has(before(isName.lastIndexOf(true)));
		const shown = isMoved ? names.slice(1) : names;
		const [from, to = ""] = isMoved ? names : [];
		const isRenamed = from !== undefined && fileName(from) !== fileName(to);
		return {
			...{ names: shown, within: new Set(inside), said, lead: lead.length, isOfFiles: FILES.test(rest.join(" ")) },
			from: isRenamed ? from : undefined,
		};
	});
}

/** The maximum number of words before names whose participle follows, as in "Ich habe a.md gespeichert". */
const SUBJECT = 2;

/** True if a sentence says that something was not done. */
export function saysDenied(sentence: string): boolean {
	return DENIED.test(sentence.toLowerCase());
}

/** The words of a sentence, without what surrounds them: `/etc/hosts` for "(`/etc/hosts`)." */
export function wordsIn(sentence: string): readonly string[] {
	return sentence.split(BETWEEN).map((word) => unmarked(withoutEnd(word)));
}

function saidOf(words: readonly string[]): Part["said"] {
	if (DENIED.test(words.join(" "))) return "denied";
	const done = words.filter((word) => isDone(word) || UNSPACED.test(word));
	if (done.some((word) => REMOVAL.test(word))) return "removed";
	if (done.some((word) => MESSAGE.test(word))) return "sent";
	return done.length > 0 ? "made" : undefined;
}

/** The files that a text says were made, removed or renamed, each once and spelled as in the text. Pure. */
export function namedFiles(text: string): readonly string[] {
	const named = claimsOf(text, { most: 2 * MOST }).flatMap(filesReader(text));
	return [...new Set(named.flatMap(({ names, from }) => (from === undefined ? names : [...names, from])))].slice(0, MOST);
}

/** The text after its last word separator. If a file's name has spaces, only this part is read as the name of a file. */
export function lastWord(text: string): string {
	return text.split(BETWEEN).at(-1) ?? "";
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
