import { OutcomeUnknown, ToolFailed } from "@xworkmate/tool";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FakeService, startFakeService } from "../../e2e/support/services/fake-service.ts";
import { addComment, closeIssue, createIssue, deleteComment, listIssues, readIssue } from "../tools/github/tools.ts";
import { type CallOptions, callTool } from "./support/call-tool.ts";
import { failureOf } from "./support/failure-of.ts";

const where = { owner: "ada", repo: "engine" };

let service: FakeService;
let options: CallOptions;
beforeEach(async () => {
	service = await startFakeService("github");
	options = { services: { "https://api.github.com": service.url }, secrets: { "github.token": "ghp_ada" } };
});
afterEach(() => service[Symbol.asyncDispose]());

const withToken = (token: string): CallOptions => ({ ...options, secrets: { "github.token": token } });
const create = (title: string, labels?: string[]) =>
	callTool(createIssue, { ...where, title, ...(labels === undefined ? {} : { labels }) }, options);

it("[T1-92] creates an issue, comments on it, deletes the comment and closes the issue, each once", async () => {
	const { number, url } = await create("The mill jams", ["bug"]);
	expect(url).toBe("https://github.com/ada/engine/issues/1");
	const { commentId } = await callTool(addComment, { ...where, number, text: "Seen again" }, options);
	const read = await callTool(readIssue, { ...where, number }, options);
	expect(read).toMatchObject({ issue: { number, labels: ["bug"], state: "open" }, text: "", comments: [{ commentId, author: "ada" }] });
	const comment = { ...where, commentId, author: "ada", text: "Seen again" };
	expect((await failureOf(callTool(deleteComment, { ...comment, text: "Other" }, options))).message).toContain("another text or author");
	await callTool(deleteComment, comment, options);
	const close = { ...where, number, title: "The mill jams" };
	expect((await failureOf(callTool(closeIssue, { ...close, title: "Other" }, options))).message).toContain("another title");
	await callTool(closeIssue, close, options);
	await callTool(closeIssue, close, { ...options, attempt: 2 });
	expect((await callTool(listIssues, { ...where, state: "closed" }, options)).issues).toMatchObject([{ number, state: "closed" }]);
	expect(await service.effects()).toEqual([
		{ kind: "issue.created", key: "The mill jams", count: 1 },
		{ kind: "comment.created", key: "Seen again", count: 1 },
		{ kind: "comment.deleted", key: String(commentId), count: 1 },
		{ kind: "issue.closed", key: "1", count: 1 },
	]);
});

it("lists every page, by label, and no pull request", async () => {
	for (let n = 1; n <= 120; n++) await create(`Issue ${n}`, n % 2 === 0 ? ["even"] : []);
	await create("Not an issue", ["as pull request"]);
	const { issues, hasMore } = await callTool(listIssues, { ...where, limit: 500 }, options);
	expect(hasMore).toBe(false);
	expect(issues.map(({ title }) => title)).toEqual(Array.from({ length: 120 }, (_, n) => `Issue ${120 - n}`));
	expect(await callTool(listIssues, { ...where, labels: ["even"], limit: 10 }, options)).toMatchObject({
		issues: Array.from({ length: 10 }, (_, n) => ({ title: `Issue ${120 - 2 * n}` })),
		hasMore: true,
	});
	expect((await service.requests()).filter(({ method }) => method === "GET")).toHaveLength(3);
});

it("creates an issue at most once, and says so when it cannot know", async () => {
	await service.fail({ kind: "reset_after", method: "POST" });
	const lost = await failureOf(create("Lost"));
	expect(lost).toBeInstanceOf(OutcomeUnknown);
	expect(await service.effects()).toEqual([{ kind: "issue.created", key: "Lost", count: 1 }]);
	expect(createIssue.idempotent).toBe(false);
	await service.fail({ kind: "answer", method: "POST", status: 502, acts: true });
	expect(await failureOf(create("Broken"))).toBeInstanceOf(OutcomeUnknown);
	await service.fail({ kind: "answer", method: "POST", status: 201, body: '{"number":"one"}', acts: true });
	expect(await failureOf(create("Odd"))).toBeInstanceOf(OutcomeUnknown);
	expect((await service.effects()).map(({ count }) => count)).toEqual([1, 1, 1]);
});

it("deletes a comment once when the call is tried again after its answer was lost", async () => {
	const { number } = await create("Issue");
	const { commentId } = await callTool(addComment, { ...where, number, text: "Gone soon" }, options);
	const comment = { ...where, commentId, author: "ada", text: "Gone soon" };
	await service.fail({ kind: "reset_after", method: "DELETE" });
	expect(await failureOf(callTool(deleteComment, comment, options))).toBeInstanceOf(OutcomeUnknown);
	expect((await failureOf(callTool(deleteComment, comment, options))).message).toBe("There is no comment with this id.");
	expect(await callTool(deleteComment, comment, { ...options, attempt: 2 })).toEqual({ commentId, deleted: true });
	expect(await service.effects()).toContainEqual({ kind: "comment.deleted", key: String(commentId), count: 1 });
});

it.each([
	["a token that is not valid", "ghp_other", "GitHub does not accept the token. Check the secret github.token."],
	[
		"a token that may only read",
		"ghp_reader",
		"GitHub does not allow this with the token: Resource not accessible by personal access token.",
	],
])("says what is wrong with %s", async (_, token, words) => {
	const error = await failureOf(callTool(createIssue, { ...where, title: "T" }, withToken(token)));
	expect(error).toBeInstanceOf(ToolFailed);
	expect(error.message).toBe(words);
});

it("says what GitHub refused, and when to try again", async () => {
	expect((await failureOf(callTool(readIssue, { ...where, number: 7 }, options))).message).toContain(
		"no such repository, issue or comment",
	);
	expect((await failureOf(callTool(listIssues, { ...where, repo: "other" }, options))).message).toContain("no such repository");
	await service.fail({ kind: "answer", status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1893456000" } });
	expect((await failureOf(create("T"))).message).toBe("GitHub asks for fewer requests. Try again after 2030-01-01T00:00:00.000Z.");
	await service.fail({ kind: "answer", status: 429, headers: { "retry-after": "12" } });
	expect((await failureOf(create("T"))).message).toBe("GitHub asks for fewer requests. Try again in 12 s.");
	const invalid = { message: "Validation Failed", errors: [{ resource: "Issue", field: "labels", code: "invalid" }], status: "422" };
	await service.fail({ kind: "answer", status: 422, body: JSON.stringify(invalid) });
	expect((await failureOf(create("T"))).message).toBe("GitHub refused with 422: Validation Failed; labels invalid.");
	expect(await service.effects()).toEqual([]);
});

it("describes each call in words", () => {
	const texts = [
		listIssues.describe?.({ ...where, state: "open", labels: [], limit: 1 }),
		createIssue.describe?.({ ...where, title: "T" }),
		addComment.describe?.({ ...where, number: 1, text: "x".repeat(500) }),
		closeIssue.describe?.({ ...where, number: 1, title: "T", reason: "not_planned" }),
		deleteComment.describe?.({ ...where, commentId: 5, author: "ada", text: "Hello" }),
	];
	expect(texts).toEqual([
		"List the open issues of ada/engine",
		'Create the issue "T" in ada/engine',
		`Comment on issue #1 of ada/engine: "${"x".repeat(119)}…"`,
		'Close issue #1 "T" of ada/engine as not planned',
		'Delete the comment of ada in ada/engine: "Hello"',
	]);
});
