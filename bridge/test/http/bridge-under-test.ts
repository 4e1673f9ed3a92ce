import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Artifact, artifactRef, ContractError, compareBytes, limits, type RunId, SubmitParams } from "@xworkmate/contracts";
import { pino } from "pino";
import { createArtifactStore } from "../../src/artifacts/index.ts";
import { StartGate } from "../../src/http/access/start-gate.ts";
import { BridgeMetrics, createHttpServer } from "../../src/http/index.ts";
import { systemClock, timestamp } from "../../src/ports/clock.ts";
import { defaultRunLimits } from "../../src/ports/runs/run-limits.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";
import type { ReceiptService } from "../../src/ports/tools/receipt-service.ts";
import { createMethodTable, createRpcDispatcher, describeCapabilities } from "../../src/rpc/index.ts";
import { createRunResults } from "../../src/runs/engine/files/run-results.ts";
import { FAKE_PROVIDER, FakeRunService } from "./fake-run-service.ts";

export const TOKEN = "a-token-for-these-tests";

export interface BridgeUnderTest extends AsyncDisposable {
	readonly runs: FakeRunService;
	readonly gate: StartGate;
	readonly port: number;
	/** Everything that was logged, at every level. */
	readonly logged: string[];
	readonly expired: Set<string>;
	/** Moves the guard's clock. */
	advance(milliseconds: number): void;
	/** A run with stored files, ended. */
	withArtifacts(files: Readonly<Record<string, string | Buffer>>): Promise<RunId>;
	storedPath(runId: RunId, relativePath: string): string;
	/** Submits a turn and returns its run. */
	run(turnId?: string): Promise<RunId>;
}

export interface BridgeOptions {
	readonly heartbeatMs?: number;
	/** The bridge is starting, and requests wait this long for it. */
	readonly startMs?: number;
	readonly allowedHosts?: readonly string[];
	readonly allowedOrigins?: readonly string[];
	/** A core that executes, instead of the fake one. */
	readonly core?: RunService;
	readonly tls?: { readonly cert: string; readonly key: string };
	/** Answers `receipts.verify`. */
	readonly verify?: ReceiptService["verify"];
}

const absent = () => Promise.reject(new ContractError("NOT_FOUND"));
const noPlans = {
	service: {
		...{
			create: absent,
			extract: absent,
			update: absent,
			get: absent,
			list: absent,
			occurrences: absent,
			updates: absent,
			schedule: absent,
			run: absent,
		},
		...{ pause: absent, resume: absent, delete: absent, cancel: absent, preview: absent, review: absent, settle: absent, resend: absent },
		page: absent,
		feed: { read: async () => [], last: async () => 0, isOver: async () => false, onChanged: () => () => undefined },
	},
	channels: {
		...{ "channels.list": absent, "channels.configure": absent, "channels.remove": absent, "channels.test": absent },
		...{ "contacts.list": absent, "contacts.put": absent, "contacts.remove": absent, "inbox.list": absent, "inbox.mark": absent },
	},
	files: { deliverable: absent, payload: absent },
};
const noPrograms = {
	receipts: { list: absent, get: absent, verify: absent, activity: absent },
	accounts: { list: absent, set: absent, order: absent, remove: absent, test: absent },
	edits: { list: absent, diff: absent, apply: absent, discard: absent, commit: absent },
	agents: {
		...{ list: absent, install: absent, update: absent, cancel: absent },
		...{ remove: absent, test: absent, check: absent, signIn: absent, terminal: absent },
	},
	tools: { list: absent, reload: absent, accept: absent, add: absent, new: absent, sources: absent, policy: absent },
};

/** The real HTTP server on a free port of loopback, over a fake core and real stored files. */
export async function startBridge(options: BridgeOptions = {}): Promise<BridgeUnderTest> {
	const folder = await mkdtemp(join(tmpdir(), "http-"));
	const runs = new FakeRunService();
	const core = options.core ?? runs;
	const logged: string[] = [];
	const expired = new Set<string>();
	const stored = new Map<RunId, Artifact[]>();
	let clock = 0;
	const storedPath = (runId: RunId, relativePath: string) => join(folder, runId, relativePath);
	const table = createMethodTable({
		runs: core,
		...noPrograms,
		operators: { list: async () => ({ operators: [] }) },
		settings: async () => ({ settings: [] }),
		plans: noPlans.service,
		channels: noPlans.channels,
		receipts: { ...noPrograms.receipts, ...(options.verify && { verify: options.verify }) },
		capabilities: async () =>
			describeCapabilities([], {
				runLimits: defaultRunLimits,
				openclaw: { maxActive: 1, maxQueued: 1 },
				clock: systemClock,
				storage: undefined,
			}),
		testProvider: () => Promise.reject(new ContractError("PROVIDER_NOT_FOUND")),
		resolveRouting: async ({ executionTarget }) => ({ target: executionTarget, providerId: FAKE_PROVIDER }),
	});
	const manifest = {
		findArtifact: async (runId: RunId, path: string) => stored.get(runId)?.find(({ relativePath }) => relativePath === path),
		readArtifacts: async (runId: RunId, after: string | undefined, limit: number) =>
			(stored.get(runId) ?? []).filter(({ relativePath }) => after === undefined || compareBytes(relativePath, after) > 0).slice(0, limit),
		isExpired: async (runId: RunId) => expired.has(runId),
	};
	const artifactStore = createArtifactStore({ root: folder });
	const gate = new StartGate(options.startMs);
	if (options.startMs === undefined) gate.open();
	const app = await createHttpServer({
		isHomeThere: () => true,
		gate,
		runs: core,
		plans: noPlans.service.feed,
		messages: noPlans.files,
		receipts: { lines: absent, activity: absent },
		results: createRunResults(core, manifest, artifactStore),
		dispatcher: createRpcDispatcher(table, (error) => logged.push(`internal: ${error.message}`)),
		metrics: new BridgeMetrics(() => ({ active: 1, queued: 2, commits: 3, ended: { completed: 4 } })),
		access: { token: TOKEN, allowedHosts: options.allowedHosts ?? [], allowedOrigins: options.allowedOrigins ?? [], now: () => clock },
		heartbeatMs: options.heartbeatMs ?? limits.heartbeatMs,
		...(options.tls === undefined ? {} : { tls: options.tls }),
		logger: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }),
	});
	const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);

	const run = async (turnId = "turn"): Promise<RunId> => {
		const { runId } = await runs.submit("session.start", SubmitParams.parse(submitParams({ turnId })));
		return runId;
	};
	return {
		runs,
		gate,
		port,
		logged,
		expired,
		storedPath,
		run,
		advance: (milliseconds) => {
			clock += milliseconds;
		},
		withArtifacts: async (files) => {
			const runId = await run(`turn ${stored.size}`);
			const items = await storeFiles(files, runId, storedPath);
			stored.set(runId, items);
			runs.collect(runId, items);
			runs.end(runId);
			return runId;
		},
		[Symbol.asyncDispose]: async () => {
			await app.close();
			await artifactStore[Symbol.asyncDispose]();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

async function storeFiles(
	files: Readonly<Record<string, string | Buffer>>,
	runId: RunId,
	storedPath: (runId: RunId, relativePath: string) => string,
): Promise<Artifact[]> {
	const items: Artifact[] = [];
	for (const relativePath of Object.keys(files).sort(compareBytes)) {
		const bytes = Buffer.from(files[relativePath] ?? "");
		const path = storedPath(runId, relativePath);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, bytes);
		items.push({
			relativePath,
			sizeBytes: bytes.length,
			sha256: createHash("sha256").update(bytes).digest("hex"),
			mediaType: relativePath.endsWith(".html") ? "text/html" : "text/plain",
			modifiedAt: timestamp(Date.UTC(2026, 0, 2)),
			artifactRef: artifactRef(runId, relativePath),
		});
	}
	return items;
}

/** A well-formed submit, as it goes over the wire. */
export function submitParams(change: Record<string, unknown> = {}): Record<string, unknown> {
	return {
		sessionId: "thread",
		threadId: "thread",
		turnId: "turn",
		prompt: "say hello",
		routing: { executionTarget: "agent" },
		...change,
	};
}
