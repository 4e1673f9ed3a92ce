import { RunId, type Snapshot, ThreadId, TurnId } from "@xworkmate/contracts";
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
	const clock = new FakeClock();
	const texts: string[] = [];
	let stage: NonNullable<Snapshot["progress"]>["stage"] = "working";
	const edits: ("done" | "failed")[] = [];
	const told: Partial<Snapshot> = {
		...{ runId, threadId: ThreadId.parse("discord-300"), turnId: TurnId.parse("400") },
		...{ status: "running", pendingApprovals: [] },
	};
	const runs: Partial<RunService> = { snapshot: async () => ({ ...told, progress: { stage } }) as Snapshot };
	const outbox: Partial<Outbox> = {
		kindsOf: async () => kinds,
		isNoted: async () => false,
		posted: async (_run, kind) => (kinds.includes(kind) ? { channel: "300", message: "2001" } : undefined),
		post: async ({ kind, content }) => {
			if (!kinds.includes(kind)) texts.push(content);
			kinds.push(kind);
			return "2001";
		},
		edit: async (_channel, _message, { content }) => {
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
	return { posts, texts, edits, news, settled };
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

it("a progress post doesn't go on saying that the run is worked on once XWorkmate was stopped", async () => {
	const { posts, texts, settled } = scene();
	posts.follow(runId);
	await settled();
	await posts.close();
	expect(texts).toEqual([WORKING, "*XWorkmate was stopped.*"]);
});
