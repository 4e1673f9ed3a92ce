import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FailedCode, omitUndefined, type Unavailable } from "@xworkmate/contracts";
import type { Availability } from "../../ports/agents/provider.ts";
import { newConversation, type OpenLimit } from "./conversation.ts";
import type { AgentConnection } from "./process/agent-connection.ts";
import { AgentFailure } from "./process/agent-failure.ts";
import type { AgentLaunch } from "./process/agent-launch.ts";
import { Stopped } from "./process/bounded.ts";

/**
 * Starts an agent in an empty folder, opens a conversation, and kills it. This shows whether it answers, whether it is signed in, and which
 * models it offers. No message is sent, so no model is called.
 */
export async function testAgent(
	start: (workingDirectory: string) => Promise<AgentConnection>,
	profile: AgentLaunch,
	limit: OpenLimit,
): Promise<Availability> {
	let offered: readonly string[] | undefined;
	const problem = await inTemporaryFolder(profile, async (folder) => {
		const agent = await start(folder);
		try {
			const { models } = await newConversation(agent, limit);
			offered = models?.offered.map(({ value }) => value);
			return undefined;
		} finally {
			await agent.kill();
		}
	});
	return problem === undefined ? { available: true, ...omitUndefined({ models: offered }) } : { available: false, unavailable: problem };
}

/** Uses an agent in an empty folder. Returns what is wrong with the agent; undefined if nothing is. */
export async function inTemporaryFolder(
	profile: AgentLaunch,
	act: (folder: string) => Promise<Unavailable | undefined>,
): Promise<Unavailable | undefined> {
	const folder = await mkdtemp(join(tmpdir(), "xworkmate-test-"));
	try {
		return await act(folder);
	} catch (error) {
		if (error instanceof Stopped) return silent(profile);
		if (error instanceof AgentFailure) return failed(profile, error.code, error.message);
		throw error;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

function silent({ label, command }: AgentLaunch): Unavailable {
	const message = `${label} was started, but did not respond in time.`;
	return { code: "PROVIDER_SILENT", message, fix: `Run \`${command}\` in a terminal to see what it is waiting for.` };
}

function failed({ label, command, login }: AgentLaunch, code: FailedCode, message: string): Unavailable {
	if (code === "PROVIDER_AUTH_REQUIRED")
		return { code, message, fix: login === undefined ? `Sign in with ${label}'s own command.` : `Sign in: ${login}` };
	return { code, message, fix: `Run \`${command}\` in a terminal to see why.` };
}
