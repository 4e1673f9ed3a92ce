import type { ActivityItem } from "../activity/activity.ts";
import { passedChecks } from "./claims/claimed.ts";
import { type EffectKind, FILES } from "./claims/effects.ts";
import { fileName } from "./claims/file-name.ts";
import { hasTopic, Topics } from "./claims/topics.ts";
import { ranCheck } from "./commands/commands.ts";
import { reaches, recipientsOfCall } from "./recipients.ts";
import { FileNames } from "./same-file.ts";
import { isDraft } from "./trial-call.ts";

const REMOVES =
	/\b(?:rm|rmdir|unlink|del|delet\w*|remov\w*|eras\w*|trash|drop|prune|uninstall|purge|gelöscht|löschen|supprim\w*|clean)\b|-delete\b|\bgit (?:branch|tag) -d\b/iu;
const SENDS =
	/mail|smtp|\bsms\b|send|sent|messag|notif|slack|discord|telegram|whatsapp|twilio|\bpost(?:ed|ing)?\b|comment|repl(?:y|ied)|invit|forward|tweet|webhook/iu;
const WRITES = /writ|creat|sav|edit|updat|add|put|generat|replac|append|copy|insert|modif/iu;

/** A call that succeeded, with the files that it is known to have named. */
export interface DoneCall extends Pick<ActivityItem, "toolId" | "words"> {
	readonly paths?: readonly string[] | undefined;
	/**
	 * The part of the call's command that certainly succeeded, if not all of the command did. Files may show what the rest did, but no file
	 * shows a push or a message.
	 */
	readonly proved?: string | undefined;
	/** True if the call's command only looks, or says what it would do: the call is evidence only that something was done. */
	readonly isIdle?: boolean | undefined;
}

/** The kind of a call according to its agent, or `typed` for a typed tool's call. */
function kindOfCall({ toolId }: DoneCall): string {
	const at = toolId.indexOf(":");
	return at === -1 ? "typed" : toolId.slice(at + 1);
}

/**
 * A run's calls as evidence. An agent decides how many calls and claims there are, and all claims are checked in one synchronous step. Each
 * call is therefore read only once, and checking a claim takes the same time for any number of calls, unless the claim does not name a
 * message's recipient in full.
 */
export class CallEvidence {
	/** True if a call may have left files in places that are not known. */
	readonly isAnywhere: boolean;
	readonly #topics: Topics;
	/** The kinds of claims that a call backs, whatever the claim's sentence says. */
	readonly #kinds: ReadonlySet<EffectKind>;
	readonly #edits: boolean;
	readonly #removes: boolean;
	/** The recipients of each call that may have sent something. */
	readonly #recipients: readonly (readonly string[])[];
	/** The recipients of all these calls, for direct lookup, because most claims name a recipient in full. */
	readonly #anyRecipient: ReadonlySet<string>;
	readonly #written: FileNames;
	readonly #removed: FileNames;
	/** The folders that were removed, by name. "*" stands for any. */
	readonly #removedFolders: ReadonlySet<string>;

	constructor(all: readonly DoneCall[]) {
		const calls = all.filter(({ isIdle }) => isIdle !== true).map((call) => ({ ...call, of: kindOfCall(call) }));
		const removing = calls.filter(({ of, words }) => of === "delete" || REMOVES.test(words));
		this.#kinds = new Set(independentKinds(all, calls));
		this.#topics = new Topics(calls.map(({ words, proved = words }) => proved));
		this.#edits = calls.some(({ of }) => of === "edit");
		this.#removes = removing.some(({ of }) => of !== "edit");
		this.#recipients = calls
			.map(({ of, words, proved = words }) => ({ of, sent: proved }))
			.filter(
				({ of, sent }) => of !== "edit" && of !== "delete" && of !== "move" && SENDS.test(sent) && !(of !== "execute" && isDraft(sent)),
			)
			.map(({ sent }) => recipientsOfCall(sent));
		this.#anyRecipient = new Set(this.#recipients.flat());
		this.#written = new FileNames(calls.filter(({ of }) => of !== "delete").flatMap(namesIn));
		this.#removed = new FileNames([...removing, ...calls.filter(({ of }) => of === "move")].flatMap(namesIn));
		this.#removedFolders = new Set(removing.filter(({ of }) => of === "execute").flatMap(foldersIn));
		this.isAnywhere = calls.some(({ of }) => !["edit", "delete", "move", "switch_mode"].includes(of));
	}

	/**
	 * True if a call is evidence for a claim of this kind that names no file. `recipients`: everyone to whom the claim says a message was
	 * sent; each needs a call. `sentence`: in lower case.
	 */
	backs(kind: EffectKind, sentence: string, recipients: readonly string[]): boolean {
		if (this.#kinds.has(kind)) return true;
		switch (kind) {
			case "message":
				return recipients.every((one) => this.#anyRecipient.has(one) || this.#recipients.some((called) => reaches(called, one)));
			case "removal":
				if (hasTopic(sentence)) return this.#topics.include(sentence);
				return this.#removes || (this.#edits && !FILES.test(sentence));
			case "file":
			case "other":
				return this.#topics.include(sentence);
			case "any":
			case "looked":
			case "command":
			case "tests":
			case "build":
			case "lint":
			case "types":
				return false;
		}
	}

	/**
	 * True if a call that could have written this file names it. With `isRemoved`: true if a call that could have removed the file names the
	 * file, its folder or a pattern.
	 */
	names(file: string, isRemoved: boolean): boolean {
		if (fileName(file) === "") return false;
		if (!isRemoved) return this.#written.has(file);
		return this.#removed.has(file) || ["*", ...foldersOf(file)].some((folder) => this.#removedFolders.has(folder));
	}
}

type ActiveCall = DoneCall & { readonly of: string };

function* independentKinds(all: readonly DoneCall[], calls: readonly ActiveCall[]): Generator<EffectKind> {
	if (all.length > 0) yield* ["any", "looked"] as const;
	if (all.some((call) => call.isIdle === true || ["execute", "typed", "other"].includes(kindOfCall(call)))) yield "command";
	for (const check of passedChecks) if (calls.some(({ words }) => ranCheck(check, words))) yield check;
	if (calls.some(hasWritten)) yield "file";
}

function hasWritten({ of, words }: ActiveCall): boolean {
	if (of === "edit" || of === "move") return true;
	if (of === "execute") return !(ranCheck("tests", words) || REMOVES.test(words) || SENDS.test(words));
	return of !== "delete" && of !== "switch_mode" && WRITES.test(words) && !SENDS.test(words);
}

function namesIn({ words, paths = [] }: DoneCall): readonly string[] {
	return [...paths, ...tokensOf(words)];
}

/** The folders that a command may name, as "rm -r build" does. */
function foldersIn({ words }: DoneCall): readonly string[] {
	const names = tokensOf(words).map((token) => fileName(token.endsWith("/") ? token.slice(0, -1) : token));
	return words.includes("*") ? ["*", ...names] : names;
}

/** The names of the folders that contain a file. */
function foldersOf(file: string): readonly string[] {
	return file
		.split("/")
		.slice(0, -1)
		.filter((part) => part !== "" && part !== "." && part !== "..");
}

function tokensOf(words: string): readonly string[] {
	return words.split(/[\s"'`“”‘’()<>[\]{},;:|=]+/u).map((token) => (/[.…]$/.test(token) ? token.slice(0, -1) : token));
}
