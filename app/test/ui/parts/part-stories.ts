import type { Approval, PlanEntry } from "@xworkmate/contracts";
import { refusalWords, runWords } from "../../../src/strings/codes.ts";
import type { Outcome } from "../../../src/ui/turn/outcome.ts";
import type { OpenCalls } from "../../../src/ui/turn/tool-line.ts";
import { emptyTurn, type StageMark, type TurnItem, type TurnView } from "../../../src/ui/turn/turn-view.ts";

/** The fixed time of all stories. */
export const STORY_NOW = "2026-01-02T10:05:00.000Z";

function at(secondsAgo: number): string {
	return new Date(Date.parse(STORY_NOW) - secondsAgo * 1000).toISOString();
}

const mark = (stage: StageMark["stage"], secondsAgo: number): StageMark => ({ stage, at: at(secondsAgo) });

function runs(stages: readonly StageMark[], more: Partial<TurnView> = {}): TurnView {
	const last = stages.at(-1)?.stage;
	const progress = last !== undefined && last !== "sent" && last !== "syncing" ? { progress: { stage: last } } : {};
	return { ...emptyTurn, runId: storyRun, status: "running", seq: stages.length, stages, lastAt: at(2), ...progress, ...more };
}

const storyRun = "story" as Approval["runId"];
const working = [mark("sent", 108), mark("starting", 108), mark("working", 107)];
const sealed = [...working, mark("collecting", 4), mark("exporting", 3), mark("sealing", 2)];

interface RailStory {
	readonly name: string;
	readonly view: TurnView;
}

export const railStories: readonly RailStory[] = [
	{ name: "sending", view: emptyTurn },
	{ name: "working", view: runs(working) },
	{ name: "asking", view: runs([...working, mark("waiting_approval", 28)]) },
	{ name: "lost", view: runs(working, { lost: { code: "ACP_HTTP_CONNECTION_CLOSED" } }) },
	{ name: "checking", view: runs(sealed) },
	{ name: "saving", view: runs(sealed, { syncing: { files: 5, totalBytes: 1_900_000 } }) },
];

interface RunBarStory extends RailStory {
	readonly createdAt: string;
	readonly cancelRequestedAt?: string;
	readonly kept?: "sending" | "unsent";
	readonly away?: boolean;
	readonly appAway?: boolean;
	readonly gateway?: boolean;
}

export const runBarStories: readonly RunBarStory[] = [
	{ name: "queued", view: { ...emptyTurn, gatewayQueue: { position: 2, length: 5 } }, createdAt: at(41), gateway: true },
	...railStories.map(({ name, view }) => ({ name, view, createdAt: at(109) })),
	{ name: "stopping", view: runs(working), createdAt: at(109), cancelRequestedAt: at(4) },
	{ name: "away", view: runs(working), createdAt: at(109), away: true },
	{ name: "stop kept", view: runs(working), createdAt: at(109), away: true, appAway: true, kept: "unsent" },
	{ name: "stop unsent", view: runs(working), createdAt: at(109), kept: "unsent" },
	{ name: "stop unheard", view: runs(working), createdAt: at(109), away: true, cancelRequestedAt: at(4) },
	{ name: "bridge ended", view: runs(working, { lost: { code: "ACP_HTTP_CONNECTION_CLOSED", bridgeEnded: true } }), createdAt: at(109) },
];

const request: Approval = {
	approvalId: "story" as Approval["approvalId"],
	runId: storyRun,
	threadId: "story" as Approval["threadId"],
	title: "python3 -m pip install matplotlib==3.9.2",
	toolKind: "execute",
	input: { text: "python3 -m pip install matplotlib==3.9.2\u202E && true", truncated: false },
	inputHash: "0".repeat(64),
	options: ["allow_once", "allow_window", "deny"],
	requestedAt: at(28),
	expiresAt: at(-872),
	state: "pending",
};

const granting: Approval = {
	...request,
	title: "npm test -- --watch",
	input: { text: '{"command":"npm test -- --watch","description":"Run the tests","timeout":120000}', truncated: false },
	grantScope: { kind: "program", words: ["npm", "test"] },
	windowSeconds: 900,
};

export const approvalStories: readonly { readonly name: string; readonly approval: Approval }[] = [
	{ name: "open", approval: request },
	{ name: "with a grant", approval: granting },
	{ name: "here", approval: { ...request, state: "decided", decision: "allow_once", decidedBy: "person", decidedAt: at(5) } },
	{
		name: "on the gateway",
		approval: { ...request, state: "decided", decision: "deny", decidedBy: "gateway", decidedAt: at(5) },
	},
	{ name: "expired", approval: { ...request, state: "expired" } },
	{ name: "withdrawn", approval: { ...request, state: "withdrawn" } },
];

export const samplePlan: readonly PlanEntry[] = [
	{ content: "Collect the terms used so far", state: "completed" },
	{ content: "Chapter 4: Safety", state: "in_progress" },
	{ content: "Write the list of terms", state: "pending" },
];

type ToolItem = Extract<TurnItem, { kind: "tool" }>;
const tool = (key: string, call: Omit<ToolItem["call"], "toolCallId">): ToolItem => ({
	kind: "tool",
	key,
	call: { toolCallId: key, ...call },
	from: at(9),
	to: at(8),
});

export const toolStories: readonly ToolItem[] = [
	tool("read", { title: "handbook/ch-04.md", toolKind: "read", state: "completed" }),
	tool("edit", {
		title: "scripts/translate.py",
		toolKind: "edit",
		state: "completed",
		diff: [{ path: "scripts/translate.py", oldText: "a\nb\nc", newText: "a\nB\nc\nd", truncated: false }],
	}),
	tool("run", { title: "python3 scripts/translate.py ch-04", toolKind: "execute", state: "running" }),
	tool("ask", { title: "python3 -m pip install matplotlib==3.9.2", toolKind: "execute", state: "pending" }),
	tool("deny", { title: "rm -rf build/1", toolKind: "execute", state: "denied" }),
	tool("fail", { title: "make check", toolKind: "execute", state: "failed", output: { text: "exit 2", truncated: false } }),
];

export const openToolStory: ToolItem = tool("open", { title: "make check", toolKind: "execute", state: "running" });

/** How one open call is shown in each state. */
export const openCallStories: readonly OpenCalls[] = ["live", "as of 10:04", "stopped", "unknown"];

export const sampleFile = {
	relativePath: "charts/copy-time.png",
	mediaType: "image/png",
	sizeBytes: 148_000,
	sizeNow: 151_000,
	modifiedAt: at(60),
} as const;

/** Every code's card, with its places left open. */
export const outcomeStories: readonly { readonly name: string; readonly outcome: Outcome }[] = [
	{
		name: "ok",
		outcome: {
			tone: "ok",
			title: "Succeeded. 3 files checked and saved.",
			facts: ["Required files delivered: 2 of 2", "2 min 14 s"],
			rejected: [],
			rejectedCount: 0,
			actions: ["run_log"],
		},
	},
	...Object.entries({ ...refusalWords, ...runWords }).map(([code, { tone, title, meaning, actions }]) => ({
		name: code,
		outcome: { tone, title, say: meaning, facts: ["9:31"], code, rejected: [], rejectedCount: 0, actions },
	})),
];
