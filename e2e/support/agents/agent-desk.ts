import { z } from "zod";
import type { BridgeProcess } from "../bridge/bridge-process.ts";
import { settle } from "../bridge/settle.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { turn } from "../wire/turn.ts";

const Problem = z.object({ code: z.string(), message: z.string(), fix: z.string() });
const Agent = z.looseObject({
	agentId: z.string(),
	state: z.enum(["missing", "untested", "ready", "needs_sign_in", "failed"]),
	source: z.string().optional(),
	version: z.string().optional(),
	offered: z.string(),
	hasUpdate: z.boolean(),
	canInstall: z.boolean(),
	command: z.string(),
	test: z.looseObject({ problem: Problem.optional() }).optional(),
	signIn: z.array(
		z.looseObject({
			methodId: z.string(),
			kind: z.string(),
			variables: z.array(z.looseObject({ name: z.string(), isSet: z.boolean() })).optional(),
		}),
	),
	job: z
		.looseObject({
			kind: z.string(),
			state: z.enum(["running", "failed", "cancelled"]),
			stage: z.string(),
			version: z.string(),
			problem: Problem.optional(),
			log: z.string().optional(),
		})
		.optional(),
	signingIn: z.looseObject({ methodId: z.string(), problem: Problem.optional() }).optional(),
});
export type AgentRecord = z.infer<typeof Agent>;
const List = z.object({ agents: z.array(Agent), problems: z.array(Problem) });

const Said = z.object({ version: z.string(), variables: z.record(z.string(), z.string()) });

/** The agents of one bridge, over its wire. */
export class AgentDesk {
	readonly #bridge: BridgeProcess;

	constructor(bridge: BridgeProcess) {
		this.#bridge = bridge;
	}

	async list(): Promise<z.infer<typeof List>> {
		return List.parse(await this.#bridge.client().rpc("xworkmate.agents.list"));
	}

	async agent(agentId: string): Promise<AgentRecord> {
		const found = (await this.list()).agents.find((agent) => agent.agentId === agentId);
		if (found === undefined) throw new Error(`no agent ${agentId}`);
		return found;
	}

	async call(verb: "install" | "update" | "cancel" | "remove" | "test", agentId: string): Promise<AgentRecord> {
		return Agent.parse(await this.#bridge.client().rpc(`xworkmate.agents.${verb}`, { agentId }));
	}

	async signIn(agentId: string, methodId: string, variables?: Readonly<Record<string, string | null>>): Promise<AgentRecord> {
		return Agent.parse(await this.#bridge.client().rpc("xworkmate.agents.signIn", { agentId, methodId, ...(variables && { variables }) }));
	}

	/** The agent once it fits. */
	until(what: string, agentId: string, fits: (agent: AgentRecord) => boolean, boundMs = 120_000): Promise<AgentRecord> {
		return waitUntil(what, boundMs, async () => {
			const agent = await this.agent(agentId);
			return fits(agent) ? agent : undefined;
		});
	}

	/** Begins to install or update, and waits for the end. */
	async ended(verb: "install" | "update", agentId: string): Promise<AgentRecord> {
		await this.call(verb, agentId);
		return this.until(`the end of ${verb}`, agentId, ({ job, test }) => (job === undefined ? test !== undefined : job.state !== "running"));
	}

	/** What the agent says about itself in a turn: its version, and its own variables. */
	async says(agentId: string): Promise<z.infer<typeof Said>> {
		const { snapshot } = await settle(this.#bridge.client(), turn({ prompt: "Who are you?", providerId: agentId }));
		return Said.parse(JSON.parse(snapshot.output?.text ?? ""));
	}
}
