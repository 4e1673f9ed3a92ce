import { defineTool, ToolFailed } from "@xworkmate/tool";
import { z } from "zod";
import { type Comment, GitHubClient, type Issue } from "./client.ts";

const secrets = ["github.token"];

const repository = {
	owner: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/),
	repo: z.string().regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/),
};
const number = z.int().min(1).describe("The issue's number");
const place = ({ owner, repo }: { readonly owner: string; readonly repo: string }) => `${owner}/${repo}`;
/** A quotation mark inside is escaped, so that a text cannot pass for the rest of the sentence. */
const quoted = (text: string) => JSON.stringify(text);
/** Long texts are shown whole with the input; the sentence has their beginning. */
const beginning = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

const Listed = z.strictObject({
	number: z.int(),
	title: z.string(),
	state: z.enum(["open", "closed"]),
	labels: z.array(z.string()),
	author: z.string(),
	url: z.string(),
	createdAt: z.string(),
});

const ListedComment = z.strictObject({ commentId: z.int(), author: z.string(), text: z.string(), url: z.string(), createdAt: z.string() });

export const listIssues = defineTool({
	id: "github.issues.list",
	risk: "read",
	keyRead: true,
	secrets,
	input: z.strictObject({
		...repository,
		state: z.enum(["open", "closed", "all"]).default("open"),
		labels: z.array(z.string().min(1).max(50)).max(10).default([]),
		limit: z.int().min(1).max(500).default(100),
	}),
	output: z.strictObject({ issues: z.array(Listed), hasMore: z.boolean() }),
	policy: { default: "allow" },
	describe: (input) => `List the ${input.state === "all" ? "" : `${input.state} `}issues of ${place(input)}`,
	handler: async ({ owner, repo, ...filter }, ctx) => {
		const { issues, hasMore } = await new GitHubClient(ctx).issues({ owner, repo }, filter);
		return { issues: issues.map(listed), hasMore };
	},
});

export const readIssue = defineTool({
	id: "github.issues.read",
	risk: "read",
	keyRead: true,
	secrets,
	input: z.strictObject({ ...repository, number }),
	/** `comments`: the first 100. */
	output: z.strictObject({ issue: Listed, text: z.string(), comments: z.array(ListedComment) }),
	policy: { default: "allow" },
	describe: (input) => `Read issue #${input.number} of ${place(input)} with its comments`,
	handler: async ({ number: issueNumber, ...where }, ctx) => {
		const client = new GitHubClient(ctx);
		const issue = await client.issue(where, issueNumber);
		const comments = await client.comments(where, issueNumber);
		return { issue: listed(issue), text: issue.body ?? "", comments: comments.map(listedComment) };
	},
});

export const createIssue = defineTool({
	id: "github.issues.create",
	risk: "write",
	// GitHub has no idempotency keys: a second attempt would create a second issue, so there is none.
	idempotent: false,
	secrets,
	input: z.strictObject({
		...repository,
		title: z.string().min(1).max(256),
		text: z.string().max(65_536).optional(),
		labels: z.array(z.string().min(1).max(50)).max(10).optional(),
	}),
	output: z.strictObject({ number: z.int(), url: z.string() }),
	policy: { default: "ask" },
	describe: (input) => `Create the issue ${quoted(input.title)} in ${place(input)}`,
	handler: async ({ title, text, labels, ...where }, ctx) => {
		const issue = await new GitHubClient(ctx).createIssue(where, { title, body: text, labels });
		return { number: issue.number, url: issue.html_url };
	},
});

export const addComment = defineTool({
	id: "github.comments.create",
	risk: "write",
	// As for issues: a second attempt would add a second comment.
	idempotent: false,
	secrets,
	input: z.strictObject({ ...repository, number, text: z.string().min(1).max(65_536) }),
	output: z.strictObject({ commentId: z.int(), url: z.string() }),
	policy: { default: "ask" },
	describe: (input) => `Comment on issue #${input.number} of ${place(input)}: ${quoted(beginning(input.text))}`,
	handler: async ({ number: issueNumber, text, ...where }, ctx) => {
		const comment = await new GitHubClient(ctx).createComment(where, issueNumber, text);
		return { commentId: comment.id, url: comment.html_url };
	},
});

export const closeIssue = defineTool({
	id: "github.issues.close",
	risk: "write",
	// An issue that is closed already stays as it is.
	idempotent: true,
	secrets,
	input: z.strictObject({
		...repository,
		number,
		title: z.string().min(1).max(256).describe("As it is listed; nothing is closed if the issue has another title"),
		reason: z.enum(["completed", "not_planned"]).default("completed"),
	}),
	output: z.strictObject({ number: z.int(), state: z.literal("closed"), url: z.string() }),
	policy: { default: "ask" },
	describe: (input) =>
		`Close issue #${input.number} ${quoted(input.title)} of ${place(input)} as ${input.reason === "completed" ? "completed" : "not planned"}`,
	handler: async ({ number: issueNumber, title, reason, ...where }, ctx) => {
		const client = new GitHubClient(ctx);
		const issue = await client.issue(where, issueNumber);
		if (issue.title !== title)
			throw new ToolFailed(`Issue #${issueNumber} has another title, so it was not closed. List the issues again.`);
		if (issue.state !== "closed") await client.closeIssue(where, issueNumber, reason);
		return { number: issueNumber, state: "closed" as const, url: issue.html_url };
	},
});

export const deleteComment = defineTool({
	id: "github.comments.delete",
	risk: "destructive",
	// A second attempt that finds no comment has nothing to do.
	idempotent: true,
	secrets,
	input: z.strictObject({
		...repository,
		commentId: z.int().min(1),
		author: z.string().min(1).max(100),
		text: z.string().min(1).max(65_536).describe("As it was read; nothing is deleted if the comment has another text or author"),
	}),
	output: z.strictObject({ commentId: z.int(), deleted: z.literal(true) }),
	policy: { default: "ask" },
	describe: (input) => `Delete the comment of ${input.author} in ${place(input)}: ${quoted(beginning(input.text))}`,
	handler: async ({ commentId, author, text, ...where }, ctx) => {
		const client = new GitHubClient(ctx);
		const comment = await client.comment(where, commentId);
		const isThere = comment !== undefined;
		if (!isThere && ctx.attempt === 1) throw new ToolFailed("There is no comment with this id.");
		if (isThere && (comment.body !== text || (comment.user?.login ?? "") !== author))
			throw new ToolFailed("The comment with this id has another text or author, so it was not deleted. Read the issue again.");
		if (isThere && !(await client.deleteComment(where, commentId)) && ctx.attempt === 1)
			throw new ToolFailed("The comment was deleted by someone else at this moment.");
		return { commentId, deleted: true as const };
	},
});

function listed(issue: Issue): z.infer<typeof Listed> {
	return {
		number: issue.number,
		title: issue.title,
		state: issue.state,
		labels: issue.labels.map((label) => (typeof label === "string" ? label : label.name)),
		author: issue.user?.login ?? "",
		url: issue.html_url,
		createdAt: issue.created_at,
	};
}

function listedComment(comment: Comment): z.infer<typeof ListedComment> {
	return {
		commentId: comment.id,
		author: comment.user?.login ?? "",
		text: comment.body ?? "",
		url: comment.html_url,
		createdAt: comment.created_at,
	};
}
