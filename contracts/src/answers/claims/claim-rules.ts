import type { Claimed } from "./claimed.ts";
import { isAboutFile, isOwnEffect } from "./effects.ts";
import { isFileName } from "./file-name.ts";
import { isNarrated, MORE_THAN_ONE } from "./narration.ts";
import { isHeadedOwnAct, isOwnAct } from "./own-acts.ts";
import { hasPhrase } from "./phrases.ts";
import { bit, DONE, type Language, languages, PHRASE, rolesOf, type WordRoles } from "./word-roles.ts";

const WORD = /[\p{L}\p{N}]+(?:['.-][\p{L}\p{N}]+)*|[,;:()—–/]/gu;
const SIGNS = new Set(",;:()—–/");

/**
 * What a folded sentence claims, in any language that is written with spaces. `isMessage`: the sentence is from a message, not from an
 * answer.
 */
export function claimIn(sentence: string, isMessage: boolean): Claimed {
	const tokens = sentence.match(WORD);
	if (tokens === null) return undefined;
	const found: WordRoles[] = [];
	let any = 0;
	for (const token of tokens) {
		const of = rolesOf(token);
		found.push(of);
		any |= of.at(-1) ?? 0;
	}
	// Most sentences contain no word that could make a claim, so nothing more is done for them.
	if ((any & (DONE | PHRASE)) === 0) return undefined;
	const candidates = languages.filter(({ index }) => found.some((of) => ((of[index] ?? 0) & (DONE | PHRASE)) !== 0));
	const known = languages.map(({ index }) => found.reduce((sum, of) => sum + ((of[index] ?? 0) === 0 ? 0 : 1), 0));
	const most = Math.max(...known);
	// A denial in the sentence's own language counts, even if another language has words that look the same.
	const own = languages.filter(({ index }) => known[index] === most);
	for (const language of candidates) {
		const others = own.filter((other) => other !== language);
		const denied = new Set(others.flatMap((other) => deniedPlaces(clausesOf(other, tokens, found))));
		// "confirmé" means "I confirmed" in Spanish, but only "confirmed" in a French sentence.
		const isOtherwise = (at: number) => others.some(({ index }) => ((found[at]?.[index] ?? 0) & (bit.made | bit.acted | bit.own)) !== 0);
		const isOwn = own[0] === language;
		const claimed = claimedBy(language, clausesOf(language, tokens, found), { denied, isOtherwise, isMessage, isOwn });
		if (claimed !== undefined) return claimed;
	}
	return undefined;
}

/** The maximum number of words in a clause. Real clauses are shorter, and the time taken grows with the length. */
const CLAUSE = 40;

interface Clause {
	/** The position of the clause's first word in the sentence. */
	readonly from: number;
	readonly words: readonly string[];
	readonly roles: readonly number[];
	/** The roles of all its words, combined. */
	readonly all: number;
	/** True: "and" joins the clause to the previous one, or the clause is the rest of a clause that was too long. */
	readonly isJoined: boolean;
	/** The previous clause, if this clause shares its subject: "190 cars, charged", "was passed and published". */
	readonly earlier: Pick<Clause, "words" | "roles">;
	/** The punctuation mark that ends the clause; empty if there is none. */
	readonly sign: string;
}

function clausesOf({ index }: Language, tokens: readonly string[], found: readonly WordRoles[]): readonly Clause[] {
	const clauses: Clause[] = [];
	let words: string[] = [];
	let own: number[] = [];
	let isJoined = false;
	let whole = 0;
	const cut = (sign: string, joins: boolean, next: number) => {
		if (words.length > 0) {
			const last = clauses.at(-1);
			const isShared = last !== undefined && (isJoined || (last.sign === "," && MORE_THAN_ONE.test(last.words[0] ?? "")));
			const earlier = isShared ? last : NOTHING;
			clauses.push({ from: next - words.length, words, roles: own, all: whole, isJoined, sign, earlier });
		}
		[words, own, whole, isJoined] = [[], [], 0, joins];
	};
	for (const [at, token] of tokens.entries()) {
		const role = found[at]?.[index] ?? 0;
		if (SIGNS.has(token) || (role & (bit.and | bit.but)) !== 0) {
			cut(SIGNS.has(token) ? token : "", (role & bit.and) !== 0, at);
			continue;
		}
		if (words.length === CLAUSE) cut("", true, at);
		words.push(token);
		own.push(role);
		whole |= role;
	}
	cut("", false, tokens.length);
	return clauses;
}

/** The positions of all words in clauses that contain a denial or a condition. */
function deniedPlaces(clauses: readonly Clause[]): readonly number[] {
	return clauses.flatMap(({ from, words, all: whole }) =>
		(whole & (bit.off | bit.condition)) === 0 ? [] : words.map((_, index) => from + index),
	);
}

interface Reading {
	/** The positions of words that are denied according to another language. */
	readonly denied: ReadonlySet<number>;
	/** Whether the word at a position of the sentence is a participle in the sentence's language. */
	readonly isOtherwise: (at: number) => boolean;
	readonly isMessage: boolean;
	/** Whether the sentence is in this language, judging by its words. */
	readonly isOwn: boolean;
}

function claimedBy(language: Language, clauses: readonly Clause[], { denied, ...reading }: Reading): Claimed {
	let [wasOff, wasCondition, isRead, wasSelf] = [false, false, false, false];
	let claimed: Claimed;
	for (const clause of clauses) {
		const { all, isJoined } = clause;
		const mayDeny = (all & (bit.off | bit.condition)) !== 0 && !isHarmless(language, clause);
		const isOff = mayDeny && (all & bit.off) !== 0;
		const isOwn = (all & (bit.self | bit.passive | bit.selfDone)) !== 0;
		const isCondition = (mayDeny && hasCondition(clause, isJoined && wasSelf)) || (isJoined && wasCondition && (all & bit.self) === 0);
		const isDeniedBefore = wasOff && !isOwn;
		// "Changes in the last commit: added a.ts" is about what was done before.
		isRead ||= (all & bit.reading) !== 0 || (clause.sign === ":" && (all & bit.past) !== 0);
		const isSilent = isOff || isCondition || isDeniedBefore || denied.has(clause.from);
		const acts = isSilent ? undefined : actsOf(language, clause, { ...reading, isRead, hasSelf: isJoined && wasSelf }, claimed);
		if (acts !== undefined) {
			const isMade = (all & bit.made) !== 0 || (all & DONE) === 0;
			const isOfText = isMade && (all & (bit.text | bit.acted)) === bit.text && (all & bit.thing) === 0 && !isAboutFile(clause.words);
			const isOfFile = isMade && (all & (bit.acted | bit.thing)) === 0;
			if (!isOfText) claimed = { isOfFile: isOfFile && claimed?.isOfFile !== false, acts: [...(claimed?.acts ?? []), ...acts] };
		}
		wasOff = isOff || isDeniedBefore;
		wasCondition = isCondition;
		if (isOwn || (all & bit.other) !== 0) wasSelf = (all & (bit.self | bit.selfDone)) !== 0;
	}
	return claimed;
}

/** Words that say what came before or after. "I deployed it before you stopped" contains no condition. */
const SEQUENCE: ReadonlySet<string> = new Set("before after bevor nachdem avant après antes después depois prima dopo".split(" "));

/** Whether a clause has a condition, not counting words that say what came before or after something that the writer did. */
function hasCondition({ words, roles }: Clause, hasSelf: boolean): boolean {
	return roles.some((role, at) => {
		if ((role & bit.condition) === 0) return false;
		const before = roles.slice(0, at);
		const isBySelf = hasSelf || before.some((one) => (one & (bit.self | bit.selfDone)) !== 0);
		return !(SEQUENCE.has(words[at] ?? "") && isBySelf && before.some((one) => (one & DONE) !== 0));
	});
}

const NOTHING: Clause["earlier"] = { words: [], roles: [] };
const YEAR = /^[a-z]*(?:1\d|20)\d\d$/;

/** True if the clause only denies that there were difficulties: "no problem". */
function isHarmless({ index, harmless }: Language, clause: Clause): boolean {
	const text = ` ${clause.words.join(" ")} `;
	const left = harmless.reduce((rest, phrase) => rest.replaceAll(phrase, " "), text);
	return left !== text && !left.split(" ").some((word) => ((rolesOf(word)[index] ?? 0) & (bit.off | bit.condition)) !== 0);
}

interface Before extends Omit<Reading, "denied"> {
	/** True: this clause or an earlier one says that something was read, so what follows was done by others. */
	readonly isRead: boolean;
	/** True: "I" is still the subject, from the previous clause. */
	readonly hasSelf: boolean;
}

/** What a clause claims was done; undefined if it claims nothing. `claimed`: what the sentence has claimed so far. */
function actsOf(language: Language, clause: Clause, before: Before, claimed: Claimed): readonly string[] | undefined {
	const { words, roles, all } = clause;
	const acts = words.filter((_, at) => ((roles[at] ?? 0) & DONE) !== 0 && isDoneAt(language, clause, at, before));
	if (acts.length > 0) return acts;
	if ((all & PHRASE) !== 0 && hasPhrase(language.phrases, words)) return [];
	// "I saved it, sent the list and deleted old.txt": each verb adds to the claim.
	const first = roles.findIndex((role) => (role & bit.lead) === 0);
	const word = words[first] ?? "";
	if (claimed === undefined || ((roles[first] ?? 0) & DONE) === 0) return undefined;
	if (((roles[first] ?? 0) & bit.own) !== 0) return isOwnAct(words, first, (all & bit.passive) !== 0) ? [word] : undefined;
	return isOwnEffect(word) || (before.hasSelf && (all & bit.passive) === 0) ? [word] : undefined;
}

function isDoneAt(language: Language, clause: Clause, at: number, { isRead, hasSelf, isOtherwise, isMessage, isOwn }: Before): boolean {
	const { words, roles, all, sign } = clause;
	const before = roles.slice(0, at);
	const role = roles[at] ?? 0;
	const previous = before.at(-1) ?? 0;
	const isDated = words.some((word) => YEAR.test(word)) || (all & bit.past) !== 0;
	// "The updated plan" does not say who updated it.
	if ((previous & bit.determiner) !== 0 && (previous & bit.self) === 0) return false;
	const isPassive = roles.some((one, index) => index !== at && (one & bit.passive) !== 0);
	const isOwnOnly = (role & (bit.own | bit.selfDone | bit.acted)) === bit.own;
	const subjectAt = before.findLastIndex(
		// Right after "I", a word for someone else says for whom it was done: "je vous ai".
		(one, index) => (one & bit.self) !== 0 || ((one & bit.other) !== 0 && ((before[index - 1] ?? 0) & bit.self) === 0),
	);
	const subject = before[subjectAt] ?? 0;
	const isReading = before.some((one) => (one & bit.reading) !== 0);
	if ((role & bit.selfDone) !== 0) return (subject & bit.other) === 0 && !isReading && !isOtherwise(clause.from + at);
	const isBySelf = (subject & bit.self) !== 0;
	if (isOwnOnly && !isOwnAct(words, at, isPassive && !isBySelf)) return false;
	if (isBySelf) return !isReading;
	// "They've been notified" is a claim; "they sent" is not.
	if ((subject & bit.other) !== 0 && !before.some((one, index) => index > subjectAt && (one & bit.passive) !== 0)) return false;
	const isByOther = roles.some((one, index) => index > at && (one & bit.by) !== 0 && isOther(roles, index + 1));
	if (isRead || isByOther || isDated) return hasSelf && at === 0 && !isByOther;
	// "Tested on Windows" describes something.
	const isHeaded = before.every((one) => (one & bit.lead) !== 0) && ((roles[at + 1] ?? 0) & bit.place) === 0;
	if (isOwnOnly && !isPassive && !isHeaded) return clause.from === 0 && sign === "" && isHeadedOwnAct(words, at);
	return (isPassive || isHeading(words, roles, at, sign, isOwn)) && !isOfReport(language, clause, at, isMessage);
}

/** Whether "by" introduces someone else at this position. */
function isOther(roles: readonly number[], at: number): boolean {
	const role = roles[at] ?? 0;
	return role === 0 || ((role & bit.team) !== 0 && at + 1 < roles.length && ((roles[at + 1] ?? 0) & bit.self) === 0);
}

function isOfReport({ describing }: Language, clause: Clause, at: number, isMessage: boolean): boolean {
	const { earlier, words, roles, sign } = clause;
	const subject = at === 0 ? earlier : { words: words.slice(0, at), roles: roles.slice(0, at) };
	const told = {
		before: subject.words,
		roles: subject.roles.map((role, index) => (isFileName(subject.words[index] ?? "") ? role | bit.target : role)),
		next: roles[at + 1],
		isTold: ((roles[at] ?? 0) & bit.told) !== 0,
		isDescribing: hasPhrase(describing, words.slice(Math.max(0, at - 1), at + 3)),
		isApposed: sign === ",",
	};
	return isNarrated(
		told,
		{ thing: bit.thing, target: bit.target, yours: bit.yours | bit.self, place: bit.place, passive: bit.passive },
		isMessage,
	);
}

/** A subject that is only the number of a request: "PR #12 merged". */
const NUMBERED = /^(?:prs?|mrs?|(?:pull |merge )?requests?) \d+$/u;

/**
 * Whether the participle at a position reports an effect without saying who caused it, as in "Sent.", "Successfully created the event",
 * "Reminder set for 9", "3 files deleted", "Created report.md" or "Summary saved to summary.md".
 */
function isHeading(words: readonly string[], roles: readonly number[], at: number, sign: string, isOwn: boolean): boolean {
	const next = roles[at + 1];
	const word = words[at + 1] ?? "";
	// "Create a.md" is a request in English, although "create" is a participle in Italian.
	const isBeforeFile = isOwn && isFileName(word);
	const isFollowed = next === undefined || (next & (bit.after | bit.determiner)) !== 0 || /^v?\d/.test(word) || isBeforeFile;
	if (!isFollowed || /^\d{4}-\d\d/.test(word)) return false;
	const before = roles.slice(0, at);
	if (before.every((role) => (role & bit.lead) !== 0))
		return !(sign === ":" && next === undefined && at === 0 && /s$/.test(words[0] ?? ""));
	if (at > 6) return false;
	const subject = words.some(isFileName) ? bit.thing | bit.text | bit.target : bit.thing;
	if (NUMBERED.test(words.slice(0, at).join(" "))) return true;
	return before.some((role, index) => (role & subject) !== 0 || isFileName(words[index] ?? "")) || /^[1-9]\d*$/.test(words[0] ?? "");
}
