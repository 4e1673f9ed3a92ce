import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArtifactScope, artifactScope, RunId, sessionFolder, ThreadId } from "../src/index.ts";
import { runIds, threadIds } from "./arbitraries.ts";

describe("a session's folder", () => {
	it("is never shared by two threads", () => {
		fc.assert(
			fc.property(threadIds, threadIds, (a, b) => {
				fc.pre(a !== b);
				expect(sessionFolder(a)).not.toBe(sessionFolder(b));
			}),
		);
	});

	it.each([
		["draft:a-1", "draft-a-1"],
		["A", "a"],
		["é", "e\u0301"],
		["a", "a "],
		[`${"x".repeat(60)}1`, `${"x".repeat(60)}2`],
	])("differs for %j and %j", (a, b) => {
		expect(sessionFolder(ThreadId.parse(a))).not.toBe(sessionFolder(ThreadId.parse(b)));
	});

	it("is a readable slug and 12 hex digits of the id's sha256, one segment on any disk", () => {
		fc.assert(
			fc.property(threadIds, (threadId) => {
				const folder = sessionFolder(threadId);
				expect(folder).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{12}$/);
				expect(folder.length).toBeLessThanOrEqual(53);
				expect(folder.slice(-12)).toBe(createHash("sha256").update(threadId).digest("hex").slice(0, 12));
			}),
		);
	});

	it.each([
		["draft:a-1", "draft-a-1-"],
		["Quarterly report, Q3!", "quarterly-report-q3-"],
		["Übergrößen", "ubergro-en-"],
		["中文", "thread-"],
	])("of %j begins with what a person can read", (threadId, prefix) => {
		expect(sessionFolder(ThreadId.parse(threadId)).startsWith(prefix)).toBe(true);
	});
});

describe("an artifact scope", () => {
	it("is tasks/<session>/<run>", () => {
		expect(artifactScope(ThreadId.parse("a"), RunId.parse("run_1"))).toBe("tasks/a-ca978112ca1b/run_1");
	});

	it("of any thread and run is one that the contract accepts, and has three segments", () => {
		fc.assert(
			fc.property(threadIds, runIds, (threadId, runId) => {
				const scope = artifactScope(threadId, runId);
				expect(ArtifactScope.safeParse(scope).success).toBe(true);
				expect(scope.split("/")).toEqual(["tasks", sessionFolder(threadId), runId]);
			}),
		);
	});
});
