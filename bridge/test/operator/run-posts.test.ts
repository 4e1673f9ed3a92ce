import { Approval, RunId, type Snapshot, ThreadId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { ChannelThreads } from "../../src/operator/discord/channel-threads.ts";
import type { Outbox } from "../../src/operator/discord/outbox.ts";
import { RunPosts } from "../../src/operator/discord/run-posts.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";
import { FakeClock } from "../ports/fake-clock.ts";

const runId = RunId.parse("run-1");
const WORKING = "*Working…*";

/** The posts of one run that has not ended, and the texts that its progress post has had. `kinds`: what was posted before. */
function scene(kinds: string[] = []) {
	const tried: string[] = [];
	const noted: string[] = [];
	const clock = new FakeClock();
	const texts: string[] = [];
	let stage: NonNullable<Snapshot["progress"]>["stage"] = "working";
	const edits: Awaited<ReturnType<Outbox["edit"]>>[] = [];
	const told: Partial<Snapshot> = {
		...{ runId, threadId: ThreadId.parse("discord-300"), turnId: TurnId.parse("400") },
		...{ status: "running", pendingApprovals: [] },
	};
	const expired = Approval.parse({
		...{ approvalId: "approval-1", runId, threadId: "discord-300", title: "Write", toolKind: "other", options: ["deny"], state: "expired" },
		...{ inputHash: "0".repeat(64), requestedAt: "2026-01-01T00:00:00.000Z", expiresAt: "2026-01-01T00:15:00.000Z" },
	});
	const runs: Partial<RunService> = {
		snapshot: async () => ({ ...told, progress: { stage } }) as Snapshot,
		approval: async () => ({ record: expired }) as Awaited<ReturnType<RunService["approval"]>>,
	};
	const outbox: Partial<Outbox> = {
		kindsOf: async () => kinds,
		isNoted: async (_run, kind) => noted.includes(kind),
		note: async (_run, kind) => void noted.push(kind),
		posted: async (_run, kind) => (kinds.includes(kind) ? { channel: "300", message: "2001" } : undefined),
		post: async ({ kind, content }) => {
			if (!kinds.includes(kind)) texts.push(content);
			kinds.push(kind);
			return "2001";
		},
		edit: async (_channel, _message, { content }) => {
			tried.push(content);
			const edited = edits.shift() ?? "done";
			if (edited === "done") texts.push(content);
			return edited;
		},
	};
	const posts = new RunPosts({
		...{ runs: runs as RunService, threads: {} as ChannelThreads, outbox: outbox as Outbox, clock },
		...{ hasApprovers: true, appUrl: undefined },
		log: (error) => expect(error).toBeUndefined(),
	});
	const settled = () => new Promise((resolve) => setImmediate(resolve));
	/** The run has news, and its next edit is due. */
	const news = async (next = stage) => {
		stage = next;
		clock.advance(2_000);
		posts.committed(runId, []);
		await settled();
	};
	return { posts, texts, tried, noted, edits, news, settled };
}

it("a progress post from before a restart gets the text of now", async () => {
	const { posts, texts, settled } = scene(["answer"]);
	posts.follow(runId);
	await settled();
	expect(texts).toEqual([WORKING]);
});

it("an edit that failed is not taken as shown", async () => {
	const { posts, texts, edits, news, settled } = scene();
	posts.follow(runId);
	await settled();
	edits.push("failed");
	await news("stopping");
	await news();
	await news();
	expect(texts).toEqual([WORKING, "*Stopping…*"]);
});

it("an edit that Discord refused is repeated only when the text changes", async () => {
	const { posts, texts, tried, edits, news, settled } = scene();
	posts.follow(runId);
	await settled();
	edits.push("refused");
	await news("stopping");
	await news();
	await news();
	expect(tried).toEqual(["*Stopping…*"]);
	await news("working");
	expect(texts).toEqual([WORKING, WORKING]);
});

it("a post of a request that Discord didn't let the bot update is not tried again with all news", async () => {
	const { posts, tried, noted, edits, news, settled } = scene(["answer", "approval:approval-1"]);
	edits.push("done", "refused");
	posts.follow(runId);
	await settled();
	await news();
	await news();
	expect({ tried: tried.length, noted }).toEqual({ tried: 2, noted: [] });
});

it("a run whose answer was posted whole is no longer shown as working or as stopped", async () => {
	const { posts, tried, noted, settled } = scene(["answer"]);
	noted.push("final");
	posts.follow(runId);
	await settled();
	await posts.close();
	expect(tried).toEqual([]);
});

it("a progress post doesn't go on saying that the run is worked on once XWorkmate was stopped", async () => {
	const { posts, texts, settled } = scene();
	posts.follow(runId);
	await settled();
	await posts.close();
	expect(texts).toEqual([WORKING, "*XWorkmate was stopped.*"]);
});
