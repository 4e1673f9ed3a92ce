import { type Http, type HttpAnswer, type HttpRequest, OutcomeUnknown, type ToolContext, ToolFailed } from "@xworkmate/tool";
import { z } from "zod";
import { apiUrl } from "./account.ts";

export interface Repository {
	readonly owner: string;
	readonly repo: string;
}

const Issue = z.object({
	number: z.int(),
	title: z.string(),
	body: z.string().nullable(),
	state: z.enum(["open", "closed"]),
	html_url: z.string(),
	user: z.object({ login: z.string() }).nullable(),
	labels: z.array(z.union([z.string(), z.object({ name: z.string() })])),
	created_at: z.string(),
	pull_request: z.unknown().optional(),
});
export type Issue = z.infer<typeof Issue>;

const Comment = z.object({
	id: z.int(),
	body: z.string().nullable(),
	html_url: z.string(),
	user: z.object({ login: z.string() }).nullable(),
	created_at: z.string(),
});
export type Comment = z.infer<typeof Comment>;

const Refusal = z.object({
	message: z.string(),
	errors: z.array(z.object({ field: z.string().optional(), code: z.string().optional(), message: z.string().optional() })).optional(),
});

const PAGE = 100;
const MAX_PAGES = 10;

export interface IssueFilter {
	readonly state: "open" | "closed" | "all";
	readonly labels: readonly string[];
	readonly limit: number;
}

/** GitHub's REST API for issues, version 2022-11-28. */
export class GitHubClient {
	readonly #http: Http;

	constructor({ http }: Pick<ToolContext, "http">) {
		this.#http = http.at(`${apiUrl}/`, {
			authorization: { secret: "github.token", prefix: "Bearer " },
			accept: "application/vnd.github+json",
			"x-github-api-version": "2022-11-28",
		});
	}

	/** The newest issues; pull requests, which GitHub lists among them, are left out. */
	async issues(repository: Repository, { state, labels, limit }: IssueFilter): Promise<{ issues: Issue[]; hasMore: boolean }> {
		const issues: Issue[] = [];
		let next: HttpRequest | undefined = {
			url: pathOf(repository, "/issues"),
			query: { state, labels: labels.length === 0 ? undefined : labels.join(","), per_page: PAGE },
		};
		for (let pages = 0; next !== undefined && pages < MAX_PAGES; pages++) {
			const answer: HttpAnswer = await this.#ask(next, 200);
			issues.push(...read(z.array(Issue), answer, next).filter((issue) => issue.pull_request === undefined));
			if (issues.length > limit) return { issues: issues.slice(0, limit), hasMore: true };
			next = nextPage(answer);
		}
		return { issues, hasMore: next !== undefined };
	}

	async comment(repository: Repository, id: number): Promise<Comment | undefined> {
		const request = { url: pathOf(repository, `/issues/comments/${id}`) };
		const answer = await this.#http.request(request);
		if (answer.status === 404) return undefined;
		return read(Comment, checked(answer, 200, request), request);
	}

	async comments(repository: Repository, issue: number): Promise<Comment[]> {
		const request = { url: pathOf(repository, `/issues/${issue}/comments`), query: { per_page: PAGE } };
		return read(z.array(Comment), await this.#ask(request, 200), request);
	}

	async issue(repository: Repository, number: number): Promise<Issue> {
		const request = { url: pathOf(repository, `/issues/${number}`) };
		return read(Issue, await this.#ask(request, 200), request);
	}

	async createIssue(
		repository: Repository,
		issue: { title: string; body?: string | undefined; labels?: readonly string[] | undefined },
	): Promise<Issue> {
		const request = { url: pathOf(repository, "/issues"), method: "POST", json: issue };
		return read(Issue, await this.#ask(request, 201), request);
	}

	async createComment(repository: Repository, issue: number, body: string): Promise<Comment> {
		const request = { url: pathOf(repository, `/issues/${issue}/comments`), method: "POST", json: { body } };
		return read(Comment, await this.#ask(request, 201), request);
	}

	async closeIssue(repository: Repository, number: number, reason: "completed" | "not_planned"): Promise<Issue> {
		const request = { url: pathOf(repository, `/issues/${number}`), method: "PATCH", json: { state: "closed", state_reason: reason } };
		return read(Issue, await this.#ask(request, 200), request);
	}

	/** False: it was not there. */
	async deleteComment(repository: Repository, id: number): Promise<boolean> {
		const request = { url: pathOf(repository, `/issues/comments/${id}`), method: "DELETE" };
		const answer = await this.#http.request(request);
		if (answer.status === 404) return false;
		checked(answer, 204, request);
		return true;
	}

	async #ask(request: HttpRequest, wanted: number): Promise<HttpAnswer> {
		return checked(await this.#http.request(request), wanted, request);
	}
}

function pathOf({ owner, repo }: Repository, rest: string): string {
	return `repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}${rest}`;
}

/** `<https://api.github.com/...&page=2>; rel="next", ...` */
function nextPage({ headers }: HttpAnswer): HttpRequest | undefined {
	const url = (headers.link ?? "")
		.split(",")
		.map((link) => /^\s*<([^>]*)>;\s*rel="next"\s*$/.exec(link)?.[1])
		.find((found) => found !== undefined);
	return url === undefined ? undefined : { url };
}

function checked(answer: HttpAnswer, wanted: number, { method = "GET" }: HttpRequest): HttpAnswer {
	const { status, headers } = answer;
	if (status === wanted) return answer;
	if (status >= 500 && method !== "GET")
		throw new OutcomeUnknown(`GitHub answered ${status}, so it is not known whether it has acted. Look at the repository.`);
	if (status === 401) throw new ToolFailed("GitHub does not accept the token. Check the secret github.token.");
	if (status === 429 || (status === 403 && (headers["x-ratelimit-remaining"] === "0" || headers["retry-after"] !== undefined))) {
		throw new ToolFailed(`GitHub asks for fewer requests. Try again ${whenAgain(headers)}.`);
	}
	const why = reasonOf(answer);
	if (status === 403) throw new ToolFailed(`GitHub does not allow this with the token: ${why}.`);
	if (status === 404) throw new ToolFailed("GitHub has no such repository, issue or comment, or the token may not see it.");
	throw new ToolFailed(`GitHub refused with ${status}: ${why}.`);
}

function whenAgain(headers: HttpAnswer["headers"]): string {
	const seconds = Number(headers["retry-after"] ?? Number.NaN);
	if (!Number.isNaN(seconds)) return `in ${seconds} s`;
	const reset = new Date(Number(headers["x-ratelimit-reset"] ?? Number.NaN) * 1_000);
	return Number.isNaN(reset.getTime()) ? "later" : `after ${reset.toISOString()}`;
}

function reasonOf(answer: HttpAnswer): string {
	try {
		const { message, errors = [] } = Refusal.parse(answer.json());
		const details = errors.map(({ field = "", code = "", message: text }) => text ?? `${field} ${code}`.trim());
		return [message.replace(/\.$/, ""), ...details].join("; ").slice(0, 300);
	} catch {
		return "no explanation";
	}
}

/** An answer of another shape to a request that acted leaves open what was done. */
function read<Schema extends z.ZodType>(schema: Schema, answer: HttpAnswer, { method = "GET" }: HttpRequest): z.infer<Schema> {
	const parsed = schema.safeParse(answer.json());
	if (parsed.success) return parsed.data;
	const words = "GitHub answered something else than its API promises";
	throw method === "GET" ? new ToolFailed(`${words}.`) : new OutcomeUnknown(`${words}, after it may have acted. Look at the repository.`);
}
