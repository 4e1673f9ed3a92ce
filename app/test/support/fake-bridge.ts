import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import {
	ContractError,
	type ErrorCode,
	MANIFEST_PATH,
	type ProviderCapability,
	SubmitParams,
	type ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import { pack } from "tar-stream";
import { z } from "zod";
import { decideApproval, listApprovals, listGrants, revokeGrant } from "./fake-approvals.ts";
import { fakeCapabilities, fakeProvider } from "./fake-capabilities.ts";
import { beat, type FakeChanges } from "./fake-changes.ts";
import type { Fault } from "./fake-fault.ts";
import type { FakePlans } from "./fake-plans.ts";
import { AT, FakeRun } from "./fake-run.ts";

const Call = z.object({ id: z.string(), method: z.string(), params: z.looseObject({}) });
const Ref = z.looseObject({ runId: z.string().optional(), threadId: z.string().optional(), turnId: z.string().optional() });

export interface SeenCall {
	readonly method: string;
	readonly params: Readonly<Record<string, unknown>>;
	readonly lastEventId: string | undefined;
	readonly accept: string | undefined;
}

export interface TarEntry {
	readonly name: string;
	readonly bytes: Buffer;
	readonly type?: "file" | "symlink";
}

/** A real HTTP server that speaks the bridge's contract, with faults on request. */
export class FakeBridge implements AsyncDisposable {
	readonly home: string;
	readonly token = "a-token-for-tests";
	readonly calls: SeenCall[] = [];
	readonly runs: FakeRun[] = [];
	readonly downloads: string[] = [];
	/** Every method and path that was asked for. */
	readonly addresses = new Set<string>();
	/** Looked at for every request; undefined = answer as the contract says. */
	fault: (call: SeenCall, count: number) => Fault | undefined = () => undefined;
	/** Drives a run after it was accepted. */
	onRun: (run: FakeRun) => void = (run) => void run.text("hello").end("completed");
	/** Changes a run's tar stream. */
	onTar: (entries: TarEntry[], run: FakeRun) => TarEntry[] = (entries) => entries;
	/** Changes one file's answer: other bytes, a status, or none at all. */
	onFile: (bytes: Buffer, path: string) => Buffer | number | "hang" = (bytes) => bytes;
	/** What `acp.capabilities` says about OpenClaw. */
	openclaw = { maxActive: 1, maxQueued: 20 };
	gateway: Pick<ProviderCapability, "available" | "unavailable"> | undefined = { available: true };
	/** Downloads that were not answered and that someone waits for. */
	hanging = 0;
	heartbeatMs: number | undefined;
	/** By method; what a call of it is answered with. It may throw a ContractError. */
	readonly answers = new Map<string, (params: SeenCall["params"]) => unknown>([
		["xworkmate.threads.folders", () => ({ folders: [] })],
		["xworkmate.threads.delete", (params) => this.#delete(z.object({ threadId: z.string() }).parse(params).threadId)],
		["xworkmate.tasks.list", () => ({ items: [] })],
		["xworkmate.tasks.input", (params) => this.#find(params).input()],
		["xworkmate.tasks.get", (params) => this.#find(params).snapshot()],
		["xworkmate.tasks.cancel", (params) => this.#cancel(this.#find(params))],
		["acp.capabilities", () => fakeCapabilities(this.openclaw, this.gateway)],
		["xworkmate.approvals.list", (params) => ({ items: listApprovals(this.runs, params) })],
		["xworkmate.approvals.decide", (params) => decideApproval(this.runs, params)],
		["xworkmate.approvals.revoke", (params) => revokeGrant(this.runs, params)],
		["xworkmate.approvals.grants", () => ({ items: listGrants(this.runs) })],
	]);
	/** What changed, as `xworkmate.changes.subscribe` tells it; undefined: a bridge of before, which has no such method. */
	changes: FakeChanges | undefined;
	/** Plans and what happens to them; undefined: a bridge of before. */
	plans: FakePlans | undefined;
	#server: Server | undefined;
	#port = 0;

	constructor(home: string) {
		this.home = home;
	}

	static async start(home: string): Promise<FakeBridge> {
		const bridge = new FakeBridge(home);
		await bridge.listen();
		return bridge;
	}

	get url(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	/** Listens, the second time at the same port, and writes `endpoint.json`. */
	async listen(): Promise<void> {
		const server = createServer((request, response) => {
			this.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
		});
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		server.once("error", reject);
		server.listen(this.#port, "127.0.0.1", resolve);
		await promise;
		this.#server = server;
		this.#port = (server.address() as AddressInfo).port;
		mkdirSync(join(this.home, "bridge"), { recursive: true });
		writeFileSync(join(this.home, "bridge", "token"), `${this.token}\n`, { mode: 0o600 });
		writeFileSync(join(this.home, "bridge", "endpoint.json"), JSON.stringify({ url: this.url, pid: process.pid, startedAt: AT }));
	}

	/** Refuses connections from now on, and drops those there are. */
	async down(): Promise<void> {
		const server = this.#server;
		this.#server = undefined;
		if (server === undefined) return;
		server.closeAllConnections();
		const { promise, resolve } = Promise.withResolvers<void>();
		server.close(() => resolve());
		await promise;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.down();
	}

	countOf(method: string): number {
		return this.calls.filter((call) => call.method === method).length;
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (request.headers.authorization !== `Bearer ${this.token}`) return refuse(response, 401, "UNAUTHENTICATED");
		const url = new URL(request.url ?? "/", this.url);
		this.addresses.add(`${request.method} ${url.pathname}`);
		if (request.method === "GET" && url.pathname.startsWith("/artifacts/")) return await this.#serveArtifact(url.pathname, response);
		if (url.pathname === "/receipts/export") return void response.end(`receipts of ${[...url.searchParams.values()][0] ?? "all runs"}\n`);
		const call = Call.parse(await json(request));
		const seen = {
			method: call.method,
			params: call.params,
			lastEventId: z.string().optional().parse(request.headers["last-event-id"]),
			accept: request.headers.accept,
		};
		this.calls.push(seen);
		const fault = this.fault(seen, this.countOf(call.method));
		if (fault?.kind === "status") return refuse(response, fault.status, "INTERNAL");
		if (fault?.kind === "destroy") return void response.destroy();
		if (fault?.kind === "body") return void response.writeHead(200, { "content-type": "application/json" }).end(fault.body);
		try {
			if (fault?.kind === "error") throw new ContractError(fault.code);
			await this.#answer(call, seen, response, fault);
		} catch (error) {
			if (!(error instanceof ContractError)) throw error;
			send(response, { jsonrpc: "2.0", id: call.id, error: error.toWire() });
		}
	}

	async #answer(call: z.infer<typeof Call>, seen: SeenCall, response: ServerResponse, fault: Fault | undefined): Promise<void> {
		const { id, method, params } = call;
		const result = (value: unknown) => send(response, { jsonrpc: "2.0", id, result: value });
		const answer = this.answers.get(method);
		if (answer !== undefined) return result(await answer(params));
		if (method === "xworkmate.plans.subscribe" && this.plans !== undefined) return this.plans.serve(response, params);
		switch (method) {
			case "session.start":
			case "session.message":
				return this.#stream(this.#submit(method, params), id, 0, response, fault);
			case "xworkmate.tasks.subscribe":
				return this.#stream(this.#find(params), id, Number(seen.lastEventId ?? 0), response, fault);
			case "xworkmate.changes.subscribe":
				if (this.changes === undefined) throw new ContractError("METHOD_NOT_FOUND");
				return this.changes.serve(response, params);
			case "xworkmate.providers.test":
				return result({ provider: fakeProvider(fakeCapabilities(this.openclaw, this.gateway), params), tookMs: 3 });
			default:
				throw new ContractError("METHOD_NOT_FOUND");
		}
	}

	#submit(method: string, params: unknown): FakeRun {
		const { threadId, turnId, routing } = SubmitParams.parse(params);
		const known = this.runs.find((run) => run.threadId === threadId && run.turnId === turnId);
		if (known !== undefined) return known;
		if (routing.executionTarget === "gateway" && this.gateway?.available !== true) {
			const { message, fix } = this.gateway?.unavailable ?? {};
			throw new ContractError("GATEWAY_UNAVAILABLE", { ...(message && { detail: message }), ...(fix && { fix }) });
		}
		if (method === "session.message" && !this.runs.some((run) => run.threadId === threadId)) throw new ContractError("SESSION_NOT_FOUND");
		return this.accept(threadId, turnId);
	}

	accept(threadId: ThreadId, turnId: string): FakeRun {
		const run = new FakeRun(threadId, TurnId.parse(turnId), `run-${this.runs.length + 1}`);
		this.runs.push(run);
		this.onRun(run);
		return run;
	}

	#find(params: unknown): FakeRun {
		const ref = Ref.parse(params);
		const run = this.runs.find((each) => each.runId === ref.runId || (each.threadId === ref.threadId && each.turnId === ref.turnId));
		if (run === undefined) throw new ContractError("NOT_FOUND");
		return run;
	}

	#cancel(run: FakeRun) {
		run.cancelRequested = true;
		if (!run.over && !run.ignoresCancel) run.end("cancelled");
		return run.snapshot();
	}

	#delete(threadId: string) {
		const mine = this.runs.filter((run) => run.threadId === threadId);
		for (const run of mine) this.runs.splice(this.runs.indexOf(run), 1);
		return { deletedRuns: mine.length, freedBytes: 12 };
	}

	#stream(run: FakeRun, id: string, after: number, response: ServerResponse, fault: Fault | undefined): void {
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.flushHeaders();
		let seq = after;
		let sent = 0;
		let silent = false;
		const write = (data: unknown, eventId?: number) => {
			if (silent || response.writableEnded || response.destroyed) return;
			const limit = fault !== undefined && "after" in fault ? fault.after : undefined;
			if (limit !== undefined && sent >= limit) {
				silent = true;
				if (fault?.kind === "close") response.end();
				// What was written has to leave first, or the cut would take it along.
				if (fault?.kind === "cut") setImmediate(() => response.destroy());
				return;
			}
			sent += 1;
			response.write(`${eventId === undefined ? "" : `id: ${eventId}\n`}data: ${JSON.stringify(data)}\n\n`);
		};
		const heartbeat = this.heartbeatMs === undefined ? undefined : setInterval(() => write(beat), this.heartbeatMs);
		const follow = () => {
			for (const update of run.log.slice(seq)) {
				seq = update.seq;
				if (fault?.kind === "skip" && fault.seq === seq) continue;
				const times = fault?.kind === "double" ? 2 : 1;
				for (let time = 0; time < times; time++) write({ jsonrpc: "2.0", method: "session.update", params: update }, seq);
			}
			if (!run.over) return;
			write({ jsonrpc: "2.0", id, result: run.snapshot() }, seq);
			if (!silent) response.end();
		};
		const stop = run.onEvent(follow);
		response.on("close", () => {
			stop();
			clearInterval(heartbeat);
		});
		follow();
	}

	async #serveArtifact(pathname: string, response: ServerResponse): Promise<void> {
		this.downloads.push(pathname);
		const [, , runId = "", ...segments] = pathname.split("/");
		const run = this.#find({ runId });
		if (segments.length === 0) return this.#serveTar(run, response);
		const path = segments.map(decodeURIComponent).join("/");
		const answer = this.onFile(run.files.get(path) ?? Buffer.alloc(0), path);
		if (answer === "hang") {
			this.hanging += 1;
			response.on("close", () => {
				this.hanging -= 1;
			});
			return;
		}
		if (typeof answer === "number") return refuse(response, answer, "ARTIFACT_CHANGED");
		response.writeHead(200, { "content-type": "application/octet-stream" }).end(answer);
	}

	#serveTar(run: FakeRun, response: ServerResponse): void {
		const entries: TarEntry[] = [...run.files].map(([name, bytes]) => ({ name, bytes }));
		entries.unshift({ name: MANIFEST_PATH, bytes: Buffer.from(JSON.stringify(run.manifest())) });
		const tar = pack();
		for (const { name, bytes, type = "file" } of this.onTar(entries, run)) {
			if (type === "symlink") tar.entry({ name, type, linkname: "/etc/passwd" });
			else tar.entry({ name, type }, bytes);
		}
		tar.finalize();
		response.writeHead(200, { "content-type": "application/x-tar" });
		tar.pipe(response);
	}
}

function refuse(response: ServerResponse, status: number, code: ErrorCode): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: new ContractError(code).toWire() }));
}

function send(response: ServerResponse, body: unknown): void {
	response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
