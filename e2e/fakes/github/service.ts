import { jsonReply, objectIn } from "../service/json-reply.ts";
import type { Asked, Did, Reply, Service } from "../service/serve.ts";

interface Issue {
	readonly number: number;
	readonly title: string;
	readonly body: string | null;
	readonly labels: readonly string[];
	readonly state: "open" | "closed";
	readonly stateReason: string | null;
	readonly user: string;
	readonly createdAt: string;
}

interface Comment {
	readonly id: number;
	readonly issue: number;
	readonly body: string;
	readonly user: string;
	readonly createdAt: string;
}

const DOCS = "https://docs.github.com/rest";
const REPOSITORY = { full: "ada/engine", id: 1815 };
const LIMIT = 5_000;
const users: Readonly<Record<string, { readonly login: string; readonly mayWrite: boolean }>> = {
	ghp_ada: { login: "ada", mayWrite: true },
	ghp_reader: { login: "reader", mayWrite: false },
};

export function gitHubService(): Service {
	const issues: Issue[] = [];
	const comments = new Map<number, Comment>();
	let asked = 0;
	let lastComment = 4_000;

	return (request, did) => {
		asked += 1;
		const { status, headers, body } = answer(request, did);
		const common = {
			"x-github-media-type": "github.v3; format=json",
			"x-github-api-version-selected": "2022-11-28",
			"x-github-request-id": `FAKE:${asked}`,
			"x-ratelimit-limit": String(LIMIT),
			"x-ratelimit-remaining": String(LIMIT - asked),
			"x-ratelimit-reset": "1893456000",
			"x-ratelimit-resource": "core",
		};
		return { status, headers: { ...common, ...headers }, ...(body === undefined ? {} : { body }) };
	};

	function answer(request: Asked, did: Did): Reply {
		const { method, path, headers } = request;
		if ((headers["user-agent"] ?? "") === "") {
			const body = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.";
			return { status: 403, headers: { "content-type": "text/html" }, body };
		}
		const token = /^(?:Bearer|token) (.+)$/i.exec(headers.authorization ?? "")?.[1];
		if (token === undefined) return error(401, "Requires authentication");
		const user = users[token];
		if (user === undefined) return error(401, "Bad credentials");
		const rest = /^\/(?:repos\/ada\/engine|repositories\/1815)(\/.*)$/.exec(path)?.[1];
		if (rest === undefined) return error(404, "Not Found");
		if (method !== "GET" && !user.mayWrite) return error(403, "Resource not accessible by personal access token");

		if (rest === "/issues")
			return method === "POST" ? createIssue(request, user.login, did) : method === "GET" ? listIssues(request) : error(404, "Not Found");
		const [, comment] = /^\/issues\/comments\/(\d+)$/.exec(rest) ?? [];
		if (comment !== undefined) return oneComment(Number(comment), request, did);
		const [, number, below] = /^\/issues\/(\d+)(\/comments)?$/.exec(rest) ?? [];
		const issue = issues.find((one) => String(one.number) === number);
		if (issue === undefined) return error(404, "Not Found");
		if (below === undefined) return oneIssue(issue, request, did);
		if (method === "GET")
			return page(
				request,
				[...comments.values()].filter((one) => one.issue === issue.number).map((one) => shownComment(one, request)),
				rest,
			);
		return method === "POST" ? createComment(issue, request, user.login, did) : error(404, "Not Found");
	}

	function listIssues(request: Asked): Reply {
		const { query } = request;
		const state = query.get("state") ?? "open";
		if (!["open", "closed", "all"].includes(state)) return invalid([{ resource: "Issue", field: "state", code: "invalid" }]);
		const labels = (query.get("labels") ?? "").split(",").filter((label) => label !== "");
		const found = issues.filter(
			(issue) => (state === "all" || issue.state === state) && labels.every((label) => issue.labels.includes(label)),
		);
		return page(
			request,
			found.toReversed().map((issue) => shownIssue(issue, request)),
			"/issues",
		);
	}

	function createIssue(request: Asked, user: string, did: Did): Reply {
		const given = objectIn(request.body);
		if (given === undefined) return error(400, "Problems parsing JSON");
		const { title, body = null, labels = [] } = given;
		if (typeof title !== "string" || title === "") return invalid([{ resource: "Issue", field: "title", code: "missing_field" }]);
		if (title.length > 256)
			return invalid([{ resource: "Issue", field: "title", code: "custom", message: "title is too long (maximum is 256 characters)" }]);
		const issue: Issue = {
			number: issues.length + 1,
			title,
			body: typeof body === "string" ? body : null,
			labels: Array.isArray(labels) ? labels.map(String) : [],
			state: "open",
			stateReason: null,
			user,
			createdAt: now(),
		};
		issues.push(issue);
		did("issue.created", title);
		const shown = shownIssue(issue, request);
		return jsonReply(201, shown, { location: shown.url });
	}

	function oneIssue(issue: Issue, request: Asked, did: Did): Reply {
		if (request.method === "GET") return jsonReply(200, shownIssue(issue, request), { etag: `W/"${issue.number}-${issue.state}"` });
		if (request.method !== "PATCH") return error(404, "Not Found");
		const { state = issue.state, state_reason: reason = null } = objectIn(request.body) ?? {};
		if (state !== "open" && state !== "closed") return invalid([{ resource: "Issue", field: "state", code: "invalid" }]);
		const changed: Issue = { ...issue, state, stateReason: state === "closed" ? String(reason ?? "completed") : null };
		if (state !== issue.state) did(state === "closed" ? "issue.closed" : "issue.opened", String(issue.number));
		issues[issue.number - 1] = changed;
		return jsonReply(200, shownIssue(changed, request));
	}

	function createComment(issue: Issue, request: Asked, user: string, did: Did): Reply {
		const { body } = objectIn(request.body) ?? {};
		if (typeof body !== "string" || body === "") return invalid([{ resource: "IssueComment", field: "body", code: "missing_field" }]);
		lastComment += 1;
		const comment = { id: lastComment, issue: issue.number, body, user, createdAt: now() };
		comments.set(comment.id, comment);
		did("comment.created", body);
		const shown = shownComment(comment, request);
		return jsonReply(201, shown, { location: shown.url });
	}

	function oneComment(id: number, request: Asked, did: Did): Reply {
		const comment = comments.get(id);
		if (comment === undefined) return error(404, "Not Found");
		if (request.method === "GET") return jsonReply(200, shownComment(comment, request));
		if (request.method !== "DELETE") return error(404, "Not Found");
		comments.delete(id);
		did("comment.deleted", String(id));
		return { status: 204 };
	}
}

/** With the links that GitHub gives: by the repository's id, and only where there are more pages. */
function page({ query, origin }: Asked, items: readonly object[], below: string): Reply {
	const size = Math.min(Number(query.get("per_page") ?? 30), 100);
	const at = Number(query.get("page") ?? 1);
	const last = Math.max(Math.ceil(items.length / size), 1);
	const link = (to: number, relation: string) => {
		const parameters = new URLSearchParams(query);
		parameters.set("page", String(to));
		return `<${origin}/repositories/${REPOSITORY.id}${below}?${parameters}>; rel="${relation}"`;
	};
	const links = [
		...(at > 1 ? [link(at - 1, "prev")] : []),
		...(at < last ? [link(at + 1, "next"), link(last, "last")] : []),
		...(at > 1 ? [link(1, "first")] : []),
	];
	return jsonReply(200, items.slice((at - 1) * size, at * size), links.length === 0 ? {} : { link: links.join(", ") });
}

function shownIssue(issue: Issue, { origin }: Asked) {
	return {
		url: `${origin}/repos/${REPOSITORY.full}/issues/${issue.number}`,
		html_url: `https://github.com/${REPOSITORY.full}/issues/${issue.number}`,
		id: 70_000 + issue.number,
		number: issue.number,
		title: issue.title,
		body: issue.body,
		user: { login: issue.user, type: "User" },
		labels: issue.labels.map((name) => ({ name, color: "ededed" })),
		state: issue.state,
		state_reason: issue.stateReason,
		locked: false,
		assignees: [],
		created_at: issue.createdAt,
		updated_at: issue.createdAt,
		// The list of issues has pull requests in it too.
		...(issue.labels.includes("as pull request")
			? { pull_request: { url: `${origin}/repos/${REPOSITORY.full}/pulls/${issue.number}` } }
			: {}),
	};
}

function shownComment(comment: Comment, { origin }: Asked) {
	return {
		url: `${origin}/repos/${REPOSITORY.full}/issues/comments/${comment.id}`,
		html_url: `https://github.com/${REPOSITORY.full}/issues/${comment.issue}#issuecomment-${comment.id}`,
		id: comment.id,
		user: { login: comment.user, type: "User" },
		body: comment.body,
		created_at: comment.createdAt,
		updated_at: comment.createdAt,
		issue_url: `${origin}/repos/${REPOSITORY.full}/issues/${comment.issue}`,
	};
}

function error(status: number, message: string): Reply {
	return jsonReply(status, { message, documentation_url: DOCS, status: String(status) });
}

function invalid(errors: readonly object[]): Reply {
	return jsonReply(422, { message: "Validation Failed", errors, documentation_url: `${DOCS}/issues/issues`, status: "422" });
}

function now(): string {
	return `${new Date().toISOString().slice(0, 19)}Z`;
}
