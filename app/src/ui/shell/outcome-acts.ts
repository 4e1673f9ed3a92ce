import type { ThreadId } from "@xworkmate/contracts";
import type { TurnDetail } from "../../core/ui-api.ts";
import { callApp } from "../client/call-app.ts";
import { matchRequired } from "../model/required-files.ts";
import type { ActionId } from "../words/codes.ts";
import { words } from "../words/interface.ts";
import type { ComposerHandle } from "./composer.tsx";
import { go } from "./route.ts";
import { attempt } from "./thread-acts.ts";
import { say } from "./toasts.tsx";

interface OutcomeAct {
	readonly action: ActionId;
	readonly detail: TurnDetail;
	readonly threadId: ThreadId;
	readonly composer: ComposerHandle | null;
	openPanel(): void;
}

/** What the buttons of an outcome do. Nothing that a person wrote is sent again without a press of theirs. */
export function actOnOutcome(given: OutcomeAct): void {
	acts[given.action](given);
}

const write = ({ composer, detail }: OutcomeAct) => composer?.write(detail.request.prompt);
const again = ({ threadId, detail }: OutcomeAct) => attempt(() => sendAgain(threadId, detail));

const acts: Readonly<Record<ActionId, (given: OutcomeAct) => unknown>> = {
	retry: again,
	send_as_new: again,
	ask_again: write,
	ask_more_time: write,
	change_message: write,
	ask_missing: ({ composer, detail }) => composer?.write(askForMissing(detail)),
	choose_agent: (given) => {
		write(given);
		given.composer?.choose();
	},
	run_log: ({ threadId, detail }) => go({ page: "log", threadId, turnId: detail.turn.turnId }),
	doctor: () => go({ page: "settings", part: "doctor" }),
	open_folder: ({ threadId }) => attempt(() => callApp("openFolder", { threadId })),
	open_files: ({ openPanel }) => openPanel(),
	start_bridge: () => attempt(() => callApp("restartBridge", {})),
	test_bridge: () => attempt(testBridge),
	show_queue: () => go({ page: "now" }),
	fetch_again: ({ threadId }) => attempt(() => callApp("sync", { threadId })),
};

async function testBridge(): Promise<void> {
	const { state, refusal } = await callApp("testBridge", {});
	say(refusal?.message ?? words.bridge[state]);
}

/** The same request as a new turn. What was attached went with the first one and is in the thread's workspace. */
function sendAgain(threadId: ThreadId, { request }: TurnDetail): Promise<unknown> {
	const { prompt, routing, workingDirectory, contract } = request;
	return callApp("send", {
		threadId,
		prompt,
		routing,
		...(workingDirectory !== undefined && { workingDirectory }),
		require: contract.required.map(({ glob }) => glob),
		requiresExport: contract.requiresExport,
	});
}

function askForMissing({ request, snapshot }: TurnDetail): string {
	const { states } = matchRequired(request.contract.required, snapshot?.artifacts.items.map(({ relativePath }) => relativePath) ?? []);
	const lacking = states.filter(({ matched, minCount }) => matched.length < minCount).map(({ glob }) => `- ${glob}`);
	const list = lacking.length === 0 ? "- at least one file" : lacking.join("\n");
	return `These files were required and did not arrive:\n${list}\nPlease write them as files, not as text in the answer.`;
}
