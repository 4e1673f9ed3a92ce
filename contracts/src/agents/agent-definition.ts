import { z } from "zod";
import { ProviderId } from "../ids/ids.ts";

const env = z.record(z.string(), z.string()).optional();
const args = z.array(z.string()).optional();

export const AgentDistribution = z.union([
	z.strictObject({ command: z.strictObject({ cmd: z.string().min(1), args, env }) }),
	z.strictObject({ npx: z.strictObject({ package: z.string().min(1), args, env }) }),
	z.strictObject({ uvx: z.strictObject({ package: z.string().min(1), args, env }) }),
]);
export type AgentDistribution = z.infer<typeof AgentDistribution>;

/** An agent in the ACP registry's form, plus `command` for one that is already installed. */
export const AgentDefinition = z.strictObject({
	id: ProviderId,
	name: z.string().min(1),
	description: z.string().optional(),
	distribution: AgentDistribution,
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;

/** `<home>/providers.json`. */
export const ProvidersFile = z.strictObject({ agents: z.array(AgentDefinition).max(100) });
export type ProvidersFile = z.infer<typeof ProvidersFile>;
