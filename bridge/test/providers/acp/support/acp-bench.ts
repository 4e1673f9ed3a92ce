import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type AgentDefinition,
	artifactScope,
	openArtifactContract,
	ProviderId,
	RunId,
	SessionId,
	ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import type { Provider, ProviderTurn } from "../../../../src/ports/agents/provider.ts";
import type { ProviderSession } from "../../../../src/ports/runs/session-store.ts";
import { type AcpBounds, createAcpProviders } from "../../../../src/providers/acp/index.ts";
import { catalogue } from "../../../../src/providers/catalogue/catalogue.ts";
import { MemoryLedger } from "./memory-ledger.ts";
import { MemorySink } from "./memory-sink.ts";
import { unrulyDefinition } from "./unruly-definition.ts";

interface BenchOptions {
	readonly agents?: readonly AgentDefinition[];
	/** Environment of the unruly agent. */
	readonly unruly?: Readonly<Record<string, string>>;
	readonly bounds?: Partial<AcpBounds>;
	readonly environment?: Readonly<Record<string, string>>;
}

interface TurnOptions {
	readonly session?: ProviderSession;
	readonly model?: string;
	readonly workingDirectory?: string;
	readonly attachments?: ProviderTurn["attachments"];
	readonly sessionId?: string;
}

export interface RunningTurn {
	readonly sink: MemorySink;
	readonly stop: AbortController;
	readonly outcome: ReturnType<Provider["runTurn"]>;
	readonly artifactDirectory: string;
}

/** Providers over a home and their own workspace, with everything ended and removed at the end of a test. */
export class AcpBench implements AsyncDisposable {
	readonly root: string;
	readonly ledger = new MemoryLedger();
	readonly warnings: string[] = [];
	/** Lines of the log, with their fields. */
	readonly logged: object[] = [];
	readonly providers: readonly Provider[];
	#turns = 0;

	private constructor(root: string, options: BenchOptions) {
		this.root = root;
		this.providers = createAcpProviders({
			home: join(root, "home"),
			catalogue,
			installed: { find: async () => undefined },
			variables: { of: () => ({}) },
			environment: { PATH: process.env.PATH ?? "", HOME: join(root, "home"), ...options.environment },
			ledger: this.ledger,
			log: {
				debug: () => {},
				warn: (fields, message) => {
					this.warnings.push(message);
					this.logged.push({ ...fields, message });
				},
			},
			bounds: { handshakeMs: 5_000, cancelMs: 2_000, inputClosedMs: 1_000, terminatedMs: 500, ...options.bounds },
		}).providers;
	}

	static async open(options: BenchOptions = {}): Promise<AcpBench> {
		const root = await realpath(await mkdtemp(join(tmpdir(), "acp bench ")));
		await mkdir(join(root, "home"));
		await mkdir(join(root, "workspace"));
		const agents = options.agents ?? [unrulyDefinition(options.unruly)];
		await writeFile(join(root, "home", "providers.json"), JSON.stringify({ agents }));
		return new AcpBench(root, options);
	}

	get workspace(): string {
		return join(this.root, "workspace");
	}

	provider(id = "unruly"): Provider {
		const found = this.providers.find(({ providerId }) => providerId === ProviderId.parse(id));
		if (found === undefined) throw new Error(`no provider ${id}`);
		return found;
	}

	/** Begins a turn of one thread; its scope directory exists and is empty. */
	async begin(prompt: string, options: TurnOptions = {}, providerId?: string): Promise<RunningTurn> {
		const { turn, artifactDirectory } = await this.turn(prompt, options);
		const sink = new MemorySink();
		const stop = new AbortController();
		return { sink, stop, artifactDirectory, outcome: this.provider(providerId).runTurn(turn, sink, stop.signal) };
	}

	/** A turn of one thread; its scope directory exists and is empty. */
	async turn(prompt: string, options: TurnOptions): Promise<{ turn: ProviderTurn; artifactDirectory: string }> {
		const { sessionId = "thread-1", workingDirectory = this.workspace, attachments = [], session, model } = options;
		const threadId = ThreadId.parse(sessionId);
		const runId = RunId.parse(`run-${++this.#turns}`);
		const scope = artifactScope(threadId, runId);
		const artifactDirectory = join(this.root, scope);
		await mkdir(artifactDirectory, { recursive: true });
		const turn: ProviderTurn = {
			runId,
			threadId,
			sessionId: SessionId.parse(sessionId),
			turnId: TurnId.parse(`turn-${this.#turns}`),
			prompt,
			composedPrompt: `Final files belong in this directory:\n${artifactDirectory}\n\n${prompt}`,
			artifactContract: openArtifactContract,
			begun: false,
			artifactScope: scope,
			artifactDirectory,
			workingDirectory,
			attachments,
			...(session === undefined ? {} : { session }),
			...(model === undefined ? {} : { model }),
		};
		return { turn, artifactDirectory };
	}

	/** A whole turn with a provider that is not this bench's. */
	async runWith(provider: Provider | undefined, prompt: string): ReturnType<Provider["runTurn"]> {
		const { turn } = await this.turn(prompt, {});
		return provider === undefined ? { kind: "ended" } : provider.runTurn(turn, new MemorySink(), new AbortController().signal);
	}

	/** A whole turn. */
	async run(
		prompt: string,
		options: TurnOptions = {},
		providerId?: string,
	): Promise<{ sink: MemorySink; outcome: Awaited<ReturnType<Provider["runTurn"]>>; artifactDirectory: string }> {
		const { sink, outcome, artifactDirectory } = await this.begin(prompt, options, providerId);
		return { sink, outcome: await outcome, artifactDirectory };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await Promise.all(this.providers.map((provider) => provider.close()));
		await rm(this.root, { recursive: true, force: true });
	}
}
