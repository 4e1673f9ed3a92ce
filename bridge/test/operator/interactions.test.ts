import { type RunId, type Snapshot, type TaskSummary, ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { ChannelThreads } from "../../src/operator/discord/channel-threads.ts";
import type { Conversation } from "../../src/operator/discord/conversation.ts";
import { Interactions } from "../../src/operator/discord/interactions.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";

const MIRA = "200";
const NEWEST = "discord-300-500";

type Run = Pick<TaskSummary, "threadId" | "status"> & { readonly runId: string };

/** What the bot replies to a command in channel 300 while these runs exist, and which of them were cancelled. */
async function command(name: string, found: readonly Run[], pageSize = 200) {
	const replies: string[] = [];
	const cancelled: string[] = [];
	const runs: Partial<RunService> = {
		list: async ({ threadId, status, cursor = "0" }) => {
			const all = found.filter((run) => (threadId ?? run.threadId) === run.threadId && (status ?? run.status) === run.status);
			const end = Number(cursor) + pageSize;
			const items = all.slice(Number(cursor), end) as TaskSummary[];
			return { items, ...(end < all.length && { nextCursor: String(end) }) };
		},
		snapshot: async (runId: RunId) => ({ runId, pendingApprovals: runId === "run-1" ? [{}] : [] }) as Snapshot,
		cancel: async (runId: RunId) => {
			cancelled.push(runId);
			return { runId } as Snapshot;
		},
	};
	const threads: Partial<ChannelThreads> = { isAllowed: async () => true, threadOf: async () => ThreadId.parse(NEWEST) };
	const interactions = new Interactions({
		runs: runs as RunService,
		threads: threads as ChannelThreads,
		conversation: {} as Conversation,
		wire: { reply: async (_interaction, content) => void replies.push(content), acknowledge: async () => {}, followUp: async () => {} },
		approvers: [MIRA],
		mayTalk: () => true,
	});
	await interactions.take({
		...{ id: "900", token: "t", type: 2, channel_id: "300", user: { id: MIRA, username: "mira" } },
		data: { name },
	});
	return { reply: replies[0], cancelled };
}

const run = (runId: string, threadId: string, status: TaskSummary["status"] = "running"): Run => ({ runId, threadId, status }) as Run;

describe("the commands of a channel", () => {
	const found = [
		run("run-1", "discord-300"),
		run("run-2", "discord-300-400", "queued"),
		run("run-3", NEWEST),
		run("run-4", NEWEST, "completed"),
		run("run-5", "discord-301"),
		run("run-6", "thread-of-the-app"),
	];

	it("stop the runs of its earlier conversations too, and of no other thread", async () => {
		const { reply, cancelled } = await command("stop", found);
		expect(reply).toBe("Stopping 3 messages.");
		expect(cancelled.toSorted()).toEqual(["run-1", "run-2", "run-3"]);
	});

	it("show the runs of its earlier conversations too, and of no other thread", async () => {
		expect((await command("status", found)).reply).toBe("2 running, 1 queued. Requests waiting for approval: 1.");
	});

	it("find its runs among any number of others", async () => {
		expect((await command("stop", found.toReversed(), 1)).cancelled.toSorted()).toEqual(["run-1", "run-2", "run-3"]);
	});

	it.each(["stop", "status"])("say that nothing is running: %s", async (name) => {
		expect(await command(name, found.slice(3))).toEqual({ reply: "Nothing is running here.", cancelled: [] });
	});
});
