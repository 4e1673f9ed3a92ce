import { Snapshot } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { planAnswer } from "../../src/operator/discord/text/answer-plan.ts";
import { POST_LENGTH } from "../../src/operator/discord/text/split-text.ts";

/** What is posted about a run that has ended. */
function postsOf(more: object): readonly string[] {
	return planAnswer(
		Snapshot.parse({
			...{ runId: "run-1", sessionId: "discord-300", threadId: "discord-300", turnId: "1001" },
			...{ provider: { target: "agent", providerId: "codex" }, status: "completed", success: true },
			output: { text: "Done.", truncated: false, totalBytes: 5 },
			artifactScope: `tasks/discord-300-${"0".repeat(12)}/run-1`,
			artifacts: { count: 0, totalBytes: 0, digest: "0".repeat(64), items: [] },
			...{ rejectedArtifacts: [], pendingApprovals: [], lastSeq: 5 },
			...{ serverTime: "2026-01-01T09:00:00.000Z", createdAt: "2026-01-01T00:00:00.000Z" },
			...{ startedAt: "2026-01-01T00:00:00.000Z", endedAt: "2026-01-01T08:00:00.000Z" },
			...more,
		}),
	).parts;
}

describe("the posts of an ended run", () => {
	it("name the files that changed before anything else that was done", () => {
		const files = ["a.ts", "b.ts"].map((path) => ({ path, status: "modified" }));
		const edits = { place: "folder", directory: "/home/me/project", files, total: 2 };
		expect(postsOf({ edits })[0]?.split("\n").slice(0, 3)).toEqual([
			"Done.",
			"> 2 files changed in the project folder during the run\\: a\\.ts, b\\.ts",
			"> 0 actions completed\\.",
		]);
	});

	it("quote a sentence of an earlier message, and say each sentence's own reason", () => {
		const earlier = { code: "CLAIM_WITHOUT_SUCCESS", start: 0, end: 0, said: "I wrote report.md", reason: "no_file" };
		const posted = postsOf({ grounding: { state: "unverified", problems: [earlier] } })[0]?.split("\n");
		expect(posted?.slice(1, 3)).toEqual([
			"> **Not verified:**",
			"> “I wrote report\\.md”: a file reported as written or moved wasn't there when the run ended.",
		]);
		const whole = { code: "CLAIM_WITHOUT_ACTION", start: 0, end: 0 };
		expect(postsOf({ grounding: { state: "unverified", problems: [whole] } })[0]).toContain("> no file or call in this run confirms this.");
		const ofOne = { ...whole, file: "a_b.csv" };
		expect(postsOf({ grounding: { state: "unverified", problems: [ofOne] } })[0]).toContain("confirms this of a\\_b\\.csv.");
	});

	it("say of a success that files were rejected, in the words of the page", () => {
		const rejectedArtifacts = [{ path: "a.md", reason: "symlink" }];
		const posted = (more: object) => postsOf({ rejectedArtifacts, rejectedCount: 1, ...more })[0]?.split("\n")[1];
		expect(posted({})).toBe("> **No files delivered:** 1 was rejected");
		const artifacts = { count: 1, totalBytes: 1, digest: "0".repeat(64), items: [] };
		expect(posted({ artifacts })).toBe("> **Succeeded, but 1 file was rejected.**");
		expect(posted({ artifacts, rejectedCount: 300 })).toBe("> **Succeeded, but 300 files were rejected.**");
		expect(posted({ rejectedCount: undefined })).toBe("> **No files delivered:** 1 was rejected");
		expect(postsOf({ rejectedArtifacts, status: "failed", success: false, code: "PROVIDER_ERROR" }).join()).not.toContain("rejected");
	});

	it.each(["BRIDGE_RESTARTED", "GATEWAY_LOST", "POISONED", "STORE_RESTORED"])("name no duration if nobody saw the end: %s", (code) => {
		const posted = postsOf({ status: "interrupted", success: false, code, message: "It was lost." }).join("\n");
		expect(posted).toContain("-# no receipts");
		expect(posted).not.toContain("8 h");
	});

	it("don't say of a run that it stopped when something may still be running", () => {
		const posted = postsOf({ status: "cancelled", success: false, code: "CANCEL_INCOMPLETE", message: "A command is still running." });
		expect(posted[0]).toContain("**Cancelled, but something may still be running.** A command is still running");
	});

	it("fit into Discord's limit, however much can't be relied on", () => {
		const said = ".".repeat(299);
		const problems = ["a", "b", "c"].map((end) => ({ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 0, said: end + said }));
		const edits = { place: "workspace", directory: `/${"-".repeat(900)}`, files: [{ path: "a", status: "added" }], total: 1 };
		const posts = postsOf({ edits, grounding: { state: "unverified", problems } });
		expect(posts.length).toBeGreaterThan(1);
		for (const post of posts) expect(post.length).toBeLessThanOrEqual(POST_LENGTH);
	});
});
