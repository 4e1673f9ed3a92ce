import type { Activity, ActivityItem } from "../activity/activity.ts";
import { type LastCommand, lastCommands } from "../activity/last-commands.ts";
import { isAllowedByUser, isDoneThoughDenied, isUndone } from "../activity/unpermitted.ts";
import { omitUndefined } from "../objects/omit-undefined.ts";
import type { ClaimReason, GroundingProblem, GroundingProblemCode } from "./answer.ts";
import { CallEvidence } from "./call-evidence.ts";
import { attachedNames, haveTypes } from "./claims/attached-files.ts";
import { type PassedCheck, passedChecks } from "./claims/claimed.ts";
import { type Claim, claimsOf } from "./claims/claims.ts";
import { type EffectKind, isLooked, isOwnTopic, kindsOf } from "./claims/effects.ts";
import { isFileName } from "./claims/file-name.ts";
import { foldedText } from "./claims/folded-text.ts";
import { filesReader, type NamedFiles, saysDenied, wordsIn } from "./claims/named-files.ts";
import { saysPassed } from "./claims/passed.ts";
import { effectiveCommands, isCheck, ranCheck } from "./commands/commands.ts";
import { provesCheck } from "./commands/proves-check.ts";
import { type FileLack, type FoundFile, fileThatLacks, lackOfFiles } from "./lack-of-files.ts";
import { MOST_CLAIM_PROBLEMS } from "./most-claim-problems.ts";
import { recipientsIn } from "./recipients.ts";
import { FileNames } from "./same-file.ts";
import { SeenFiles } from "./seen-files.ts";
import { effectiveWords } from "./trial-call.ts";

/**
 * The sentences of the assistant's text that claim an effect which no receipt backs. Receipts back the claims only if a write succeeded and
 * every write did, because the wording does not show which sentence is about which call. If no write was attempted, a claim that a file was
 * made is accepted if the run delivered one, because the file proves it. `delivered`: how many files the run delivered. Pure.
 */
export function checkClaims(text: string, activity: Activity | undefined, delivered: number): readonly GroundingProblem[] {
	const isLacking = activity !== undefined && lacks(activity);
	if (activity !== undefined && activity.completed > 0 && !isLacking) return [];
	// The assistant runs no commands, so it can only have read that a check passed.
	const hasRead = activity?.items.some(({ status }) => status === "succeeded") === true;
	const isWanted = ({ acts, isOfFile, isAttached }: Claim) =>
		(acts !== undefined && (isLacking || delivered === 0 || !isOfFile) && !(hasRead && isLooked(acts))) ||
		(isAttached === true && delivered === 0);
	const code = isLacking ? "CLAIM_WITHOUT_SUCCESS" : "CLAIM_WITHOUT_ACTION";
	return problems(claimsOf(text, { most: MOST_CLAIM_PROBLEMS, isWanted }), () => ({ code }));
}

/** True if a call that does more than read did not succeed, or if the list is truncated and may omit such a call. */
function lacks({ items, counts, truncated }: Activity): boolean {
	const { failed, denied, pending, unknown } = counts;
	return (
		items.some(({ origin, risk, status }) => origin === "executed" && risk !== "read" && status !== "succeeded") ||
		(truncated && failed + denied + pending + unknown > 0)
	);
}

/** What a run left behind, as evidence for what its agent says about it. */
export interface RunEvidence {
	readonly activity: Pick<Activity, "items"> | undefined;
	/** The files that the run delivered. `paths` may be fewer than `count`. */
	readonly delivered: { readonly paths: readonly string[]; readonly count: number };
	/** The files that go with the text. Default: all files that the run delivered. */
	readonly attached?: RunEvidence["delivered"] | undefined;
	/** What was found out about the files that the answer names. Files without an entry could not be checked. */
	readonly found?: ReadonlyMap<string, FoundFile> | undefined;
	/** Files that are known to have been made or changed during the run, by their absolute paths. */
	readonly seen?: readonly string[] | undefined;
	/** Files that are known to have been deleted during the run. */
	readonly deleted?: readonly string[] | undefined;
	/** The files that calls named, by toolCallId. */
	readonly places?: ((toolCallId: string) => readonly string[] | undefined) | undefined;
	/** `asked`: the run asked for permission and was given none. If absent, it did not ask, and the user may have agreed in words. */
	readonly permission?: "asked" | "given" | undefined;
}

/**
 * Checks the text of an agent whose calls the bridge does not make. Each claim needs evidence of its own kind, about its own object: a file
 * that the claim names must have been delivered, changed or deleted; if it names none, the run must have had some effect of the kind. A
 * call that the agent only reports is evidence for what the call is about. If the agent did something that had been denied, nothing is
 * evidence. A claim that a check passed needs a command that ran the check, and every such command must have succeeded when it last ran. A
 * claim that the user allowed something is rejected if the run asked for approval and nothing was allowed. `isMessage`: the text is a
 * message to be sent, and may be a report.
 */
export function checkAgentClaims(text: string, evidence: RunEvidence, options: CheckOptions = {}): readonly GroundingProblem[] {
	return claimChecker(evidence)(text, options);
}

interface CheckOptions {
	readonly isMessage?: boolean;
}

/**
 * Checks several texts as `checkAgentClaims` does. The calls of the run are read once, and only if a text claims something, because an
 * agent decides how many texts and calls there are.
 */
export function claimChecker(evidence: RunEvidence): (text: string, options?: CheckOptions) => readonly GroundingProblem[] {
	const items = evidence.activity?.items ?? [];
	// The wording does not show which sentence is about the denied call.
	if (items.some(isDoneThoughDenied)) {
		return (text, { isMessage = false } = {}) =>
			problems(claimsOf(text, { most: MOST_CLAIM_PROBLEMS, isMessage }), () => ({ code: "CLAIM_WITHOUT_SUCCESS", reason: "denied" }));
	}
	// The reason for claims that are backed. A claim that nothing backs keeps its own reason: the changed file may be unrelated.
	const otherwise = items.some(isMadeSilently) ? "found" : undefined;
	let read: Known | undefined;
	return (text, { isMessage = false } = {}) => {
		const judged = new Map<Claim, Judged>();
		const filesOf = filesReader(text);
		const isWanted = (claim: Claim) => {
			read ??= known(evidence);
			const { code } = read;
			const said = text.slice(claim.start, claim.end);
			const lack = lackOf(said, claim, read, filesOf) ?? otherwise;
			if (lack === undefined) return false;
			judged.set(claim, { ...judgedBy(lack, code), ...omitUndefined({ file: fileThatLacks(lack, filesOf(claim), said, read) }) });
			return true;
		};
		return problems(
			claimsOf(text, { most: MOST_CLAIM_PROBLEMS, isMessage, isWanted }),
			(claim) => judged.get(claim) ?? { code: "CLAIM_WITHOUT_ACTION" },
		);
	};
}

/**
 * True for a denied edit that a file shows and its agent did not report. False if all that is known is that the file changed, because the
 * user may have changed it.
 */
function isMadeSilently({ unpermitted, onlyChanged }: ActivityItem): boolean {
	return unpermitted === "found" && onlyChanged !== true;
}

/** The evidence, with what the run's calls did. */
function known(evidence: RunEvidence): Known {
	const { delivered, attached = delivered, deleted = [] } = evidence;
	const items = evidence.activity?.items.filter(isEvidence).map(asDecided) ?? [];
	const activity = { items };
	const beyondReading = items.filter(({ risk }) => risk !== "read");
	const done = beyondReading.filter(({ status, contradiction }) => status === "succeeded" && contradiction === undefined);
	const calls = done.map(({ toolCallId, toolId, words, command, origin }) => {
		const said = command ?? words;
		const isCommand = command !== undefined || toolId.endsWith(":execute");
		const effective = isCommand ? effectiveCommands(said) : origin === "reported" ? effectiveWords(toolId, said) : said;
		const proved = isCommand ? (effectiveCommands(said, { isProved: true }) ?? "") : said;
		return { toolId, words: effective ?? said, proved, isIdle: effective === undefined, paths: evidence.places?.(toolCallId) };
	});
	const commands = lastCommands(activity);
	// A call whose report is contradicted by its files is not known to have failed.
	const hasFailed = delivered.count === 0 && done.length === 0 && beyondReading.some(({ status }) => status !== "succeeded");
	// An edit that differs from its report did change its file.
	const contradicted = beyondReading.filter((item) => isUndone(item) || item.onlyChanged === true);
	return {
		...evidence,
		calls: new CallEvidence(calls),
		deliveredFiles: new FileNames(delivered.paths),
		attachedFiles: new FileNames(attached.paths),
		seenFiles: new SeenFiles([...delivered.paths, ...(evidence.seen ?? [])]),
		seenAttached: new SeenFiles(attached.paths),
		deleted,
		contradictedFiles: new FileNames(
			contradicted.flatMap(({ toolCallId, examined = [] }) => [...(evidence.places?.(toolCallId) ?? []), ...examined]),
		),
		hasLooked: evidence.activity?.items.some(({ status }) => status === "succeeded" || status === "failed") === true,
		hasCommand: commands.length > 0,
		checks: {
			tests: checksIn("tests", commands),
			build: checksIn("build", commands),
			lint: checksIn("lint", commands),
			types: checksIn("types", commands),
		},
		code: hasFailed ? "CLAIM_WITHOUT_SUCCESS" : "CLAIM_WITHOUT_ACTION",
	};
}

/**
 * Whether a call counts as evidence. A success with only a title counts only if the user allowed it, because an agent words its titles
 * freely. A success whose command is not the one that had been running doesn't count.
 */
function isEvidence({ origin, status, approval, titleOnly, replaced }: ActivityItem): boolean {
	if (origin !== "reported" || status !== "succeeded") return true;
	return replaced !== true && (isAllowedByUser({ approval }) || titleOnly !== true);
}

/** Treats a denied call as not made if someone else may have changed its file. */
function asDecided(item: ActivityItem): ActivityItem {
	return item.onlyChanged === true ? { ...item, status: "denied" } : item;
}

/** What a run's commands show about a check. A call is judged by its command line, if that is known. */
function checksIn(check: PassedCheck, commands: readonly LastCommand[]): Known["checks"][PassedCheck] {
	const runs = commands.filter(({ words, command = words }) => ranCheck(check, command));
	// A title alone is only what the agent calls its command, and a line such as `npm test | tail` succeeds even if its tests fail.
	const proves = (line: string) => provesCheck(line, (command) => isCheck(check, command));
	return {
		hasRun: runs.length > 0,
		hasFailed: runs.some(({ hasFailed }) => hasFailed),
		isProved: runs.some(({ command, isCut }) => command !== undefined && !isCut && proves(command)),
	};
}

type Judged = Pick<GroundingProblem, "code" | "reason" | "lookedIn" | "file">;

type Lack = "failed" | FileLack | ClaimReason;

function judgedBy(lack: Lack, code: GroundingProblemCode): Judged {
	if (lack === "none") return { code };
	if (lack === "failed") return { code: "CLAIM_WITHOUT_SUCCESS" };
	if (lack === "not_here") return { code: "CLAIM_WITHOUT_SUCCESS", reason: "no_file", lookedIn: "run_folders" };
	return { code: "CLAIM_WITHOUT_SUCCESS", reason: lack };
}

interface Known extends RunEvidence {
	readonly calls: CallEvidence;
	readonly deliveredFiles: FileNames;
	/** The files that go with the text. */
	readonly attachedFiles: FileNames;
	/** The files that were seen or delivered. */
	readonly seenFiles: SeenFiles;
	readonly seenAttached: SeenFiles;
	readonly deleted: readonly string[];
	/** The files that show that a reported edit, move or deletion was not made. */
	readonly contradictedFiles: FileNames;
	/** True if a call was made that may have read something. */
	readonly hasLooked: boolean;
	/** True if a command was run, whatever its outcome. */
	readonly hasCommand: boolean;
	readonly checks: Readonly<Record<PassedCheck, { readonly hasRun: boolean; readonly hasFailed: boolean; readonly isProved: boolean }>>;
	/** The code of a claim that nothing backs. */
	readonly code: GroundingProblemCode;
}

/** Why the evidence does not back a claim; undefined if it backs the whole claim. */
function lackOf(said: string, claim: Claim, known: Known, filesOf: ReturnType<typeof filesReader>): Lack | undefined {
	const { acts, passed, isOfFile, isAllowed, isAttached } = claim;
	const lacks: Lack[] = [];
	if (isAllowed === true && known.permission === "asked") lacks.push("not_allowed");
	if (isAttached === true && !comesWith(said, known)) lacks.push("none");
	for (const check of passed ?? []) {
		const failing = lackOfCheck(check, known);
		if (failing !== undefined) lacks.push(failing);
	}
	// In "the build succeeded", "succeeded" claims nothing beyond the check, so it needs no other evidence.
	const others = passed === undefined ? acts : acts?.filter((act) => !saysPassed(act));
	if (others !== undefined && (passed === undefined || others.length > 0)) {
		const files = filesOf(claim);
		for (const named of files) {
			const lack = lackOfFiles(named, said, known);
			if (lack !== undefined) lacks.push(lack);
		}
		const sentence = foldedText(said);
		const kinds = new Set(kindsOf(others, sentence, isOfFile));
		if ((kinds.has("file") || kinds.has("removal")) && namesContradicted(said, files, known)) lacks.push("none");
		for (const { isRemoved } of files) kinds.delete(isRemoved ? "removal" : "file");
		// "I removed the import from a.ts" claims a change to a.ts, not a removed file.
		if (files.length > 0) kinds.delete("any");
		if (files.some(({ isRemoved }) => !isRemoved) && !files.some(({ isRemoved }) => isRemoved)) kinds.delete("removal");
		if ([...kinds].some((kind) => !hasEffect(kind, sentence, known))) lacks.push("none");
		// In "committed and pushed", a commit backs only the first word. A call may word a single claim differently.
		const isCompound = others.length > 1 || passed !== undefined;
		if (isCompound && others.some((act) => isOwnTopic(act) && !known.calls.backs("other", act, []))) lacks.push("none");
	}
	return (["still_there", "no_file", "not_here", "failed"] as const).find((lack) => lacks.includes(lack)) ?? lacks[0];
}

/**
 * True if a sentence names a file whose state contradicts a report of an edit, a move or a deletion. The file may have no extension, as
 * in `/etc/hosts`. Files that are said to be removed are left to `lackOfFiles`, because a report of an edit says nothing about that.
 */
function namesContradicted(said: string, files: readonly NamedFiles[], known: Known): boolean {
	const { contradictedFiles, calls, delivered, deliveredFiles } = known;
	if (contradictedFiles.isEmpty || saysDenied(said)) return false;
	const removed = new Set(files.flatMap(({ names, isRemoved }) => (isRemoved ? names : [])));
	const isShown = (file: string) => removed.has(file) || calls.names(file, false) || calls.names(file, true) || deliveredFiles.has(file);
	// A word without an extension or a folder may mean anything.
	const isPath = (word: string) => word.includes("/") || isFileName(word);
	return (
		delivered.count <= delivered.paths.length && wordsIn(said).some((word) => isPath(word) && contradictedFiles.has(word) && !isShown(word))
	);
}

/** Whether each file that the sentence says is attached goes with the text, and one file of every type that the sentence names. */
function comesWith(sentence: string, { delivered, attached = delivered, attachedFiles, seenAttached }: Known): boolean {
	const { paths, count } = attached;
	if (count === 0 || count > paths.length) return count > 0;
	const isWith = (name: string) => attachedFiles.has(name) || seenAttached.has(name, sentence);
	return attachedNames(sentence).every((name) => isWith(name)) && haveTypes(paths, sentence);
}

function hasEffect(kind: EffectKind, sentence: string, { delivered, calls, hasCommand, hasLooked, checks }: Known): boolean {
	if (kind === "looked" && hasLooked) return true;
	// The command may have failed: "I ran the tests: 3 failed."
	if (kind === "command" && hasCommand) return true;
	if (passedChecks.some((check) => check === kind && checks[check].hasRun)) return true;
	if ((kind === "file" || kind === "any") && delivered.count > 0) return true;
	return calls.backs(kind, sentence, kind === "message" ? recipientsIn(sentence) : []);
}

/** Why the evidence does not show that a check passed. It does if commands ran the check and each succeeded when it last ran. */
function lackOfCheck(check: PassedCheck, { checks }: Known): Lack | undefined {
	const { hasFailed, isProved } = checks[check];
	if (hasFailed) return "failed";
	return isProved ? undefined : "none";
}

function problems(claims: readonly Claim[], judge: (claim: Claim) => Judged): readonly GroundingProblem[] {
	return claims.map((claim) => ({ ...judge(claim), start: claim.start, end: claim.end }));
}
