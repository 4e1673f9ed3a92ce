import type { ThreadId } from "@xworkmate/contracts";
import type { TurnDetail } from "../../api/ui-api.ts";
import type { ActionId } from "../../strings/codes.ts";
import { words } from "../../strings/interface.ts";
import type { ComposerHandle } from "../composer/composer-handle.ts";
import { demandsIn } from "../composer/composer-options.ts";
import { forgetPress, pressedIds } from "../composer/pressed-ids.ts";
import { callApp } from "../connection/call-app.ts";
import { sendMessage } from "../follow/sent-message.ts";
import { go } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { say, sayNow } from "../state/toasts.ts";
import { asSentence } from "../text/sentence.ts";
import { throughPlan } from "../turn/again-safely.ts";
import { fetchedWords } from "../turn/fetched-words.ts";
import { isListCut, isThere, lackingAtBridge, matchRequired, type RequiredState } from "../turn/required-files.ts";

interface OutcomeAct {
	readonly action: ActionId;
	readonly detail: TurnDetail;
	readonly threadId: ThreadId;
	readonly composer: ComposerHandle | null;
	openPanel(): void;
}

/** Performs the actions of an outcome's buttons. The user's message is never sent again without a click. */
export function actOnOutcome(given: OutcomeAct): void {
	const { action, detail } = given;
	// A list of threads does not know that the run was a plan's.
	const own = detail.request.origin?.kind === "plan" ? throughPlan([action]) : [action];
	for (const one of own) acts[one](given);
}

const write = ({ composer, detail }: OutcomeAct) => composer?.writeAgain(detail);
/**
 * Sends the message again with its files. If one of them is no longer stored, puts the message into the composer instead: a message is
 * never sent without one of its files unless the user has seen that the file is missing.
 */
const again = (given: OutcomeAct) => (isKeptWhole(given.detail) ? attempt(() => sendAgain(given.threadId, given.detail)) : write(given));

const acts: Readonly<Record<ActionId, (given: OutcomeAct) => unknown>> = {
	retry: again,
	send_as_new: again,
	ask_again: write,
	ask_more_time: write,
	change_message: write,
	ask_missing: ({ composer, detail }) => composer?.write(askForMissing(detail), demandsIn(detail.request.contract)),
	choose_agent: (given) => {
		write(given);
		given.composer?.choose();
	},
	run_log: ({ threadId, detail }) => go({ page: "log", threadId, turnId: detail.turn.turnId }),
	doctor: () => go({ page: "settings", part: "diagnostics" }),
	open_files: ({ openPanel }) => openPanel(),
	start_bridge: () => attempt(() => callApp("restartBridge", {})),
	test_bridge: () => attempt(testBridge),
	show_queue: () => go({ page: "home" }),
	tools: () => go({ page: "tools" }),
	open_plan: ({ detail }) => openPlan(detail),
	accounts: () => go({ page: "settings", part: "accounts" }),
	receipts: ({ threadId, detail: { turn } }) => go({ page: "receipts", filter: { threadId, ...(turn.runId && { runId: turn.runId }) } }),
	fetch_again: ({ threadId }) => attempt(async () => sayNow(threadId, fetchedWords(await callApp("sync", { threadId, leaveEdits: true })))),
};

function openPlan({ request: { origin } }: TurnDetail): void {
	if (origin?.kind === "plan" && origin.id !== undefined) go({ page: "plan", planId: origin.id });
}

async function testBridge(): Promise<void> {
	const { state, refusal } = await callApp("testBridge", {});
	say(refusal === undefined ? words.bridge[state] : asSentence(refusal.message));
}

function isKeptWhole({ request, keptAttachments = [] }: TurnDetail): boolean {
	return request.attachments.every(({ name }) => keptAttachments.includes(name));
}

/** Sends the same message as a new turn, with its text, files, folder or worktree, agent, assistant options and artifact contract. */
async function sendAgain(threadId: ThreadId, { turn, request }: TurnDetail): Promise<void> {
	const { prompt, routing, workingDirectory, worktree, remoteWorkingDirectoryHint, assistant, contract, attachments } = request;
	const place = `again.${turn.turnId}`;
	const again = {
		threadId,
		prompt,
		routing,
		...(workingDirectory !== undefined && { workingDirectory }),
		...(worktree && { worktree }),
		...(remoteWorkingDirectoryHint !== undefined && { remoteWorkingDirectoryHint }),
		...(assistant !== undefined && { assistant }),
		require: contract.required,
		requiresExport: contract.requiresExport,
		expectedArtifactDirs: contract.expectedArtifactDirs,
		...(attachments.length > 0 && { attachAgain: [{ turnId: turn.turnId, names: attachments.map(({ name }) => name) }] }),
	};
	const { turnId } = pressedIds(place, again);
	await sendMessage({ ...again, turnId });
	forgetPress(place);
}

/** A message that names the missing files and asks for all required ones, because the files of each run are checked separately. */
function askForMissing({ turn, request: { contract }, snapshot }: TurnDetail): string {
	const { states } = matchRequired(contract.required, snapshot?.artifacts.items.map(({ relativePath }) => relativePath) ?? []);
	const list = (some: readonly RequiredState[]) =>
		some.map(({ glob, minCount }) => (minCount === 1 ? `- ${glob}` : `- ${glob} (at least ${minCount})`)).join("\n");
	if (isListCut(snapshot)) {
		const message = turn.resultDetail?.message ?? snapshot?.message ?? "";
		return [lackingAtBridge(message), words.asking.requiredAll, list(states), words.asking.asFiles].filter(Boolean).join("\n");
	}
	const lacking = states.filter((state) => !isThere(state));
	const there = states.filter(isThere);
	const rest = there.length === 0 ? "" : `\n${words.asking.alsoAgain}\n${list(there)}`;
	return `${words.asking.lacking}\n${lacking.length === 0 ? words.asking.anyFile : list(lacking)}\n${words.asking.asFiles}${rest}`;
}
