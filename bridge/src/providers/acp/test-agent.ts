import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FailedCode, omitUndefined, type Unavailable } from "@xworkmate/contracts";
import type { AgentProgram } from "../../ports/agents/managed-agent.ts";
import { newConversation, type OpenLimit } from "./conversation.ts";
import type { AgentConnection } from "./process/agent-connection.ts";
import { AgentFailure } from "./process/agent-failure.ts";
import type { AgentLaunch } from "./process/agent-launch.ts";
import { Stopped } from "./process/bounded.ts";
import type { ModelChoice } from "./process/model-choice.ts";
import { commandLine } from "./protocol/command-line.ts";

/** An agent, and the program that is started for it. */
export interface TestedAgent {
	readonly profile: AgentLaunch;
	readonly program: AgentProgram;
}

/**
 * Starts an agent in an empty folder, opens a conversation, and kills it. This shows whether it answers, whether it is signed in, and which
 * models it offers. No message is sent, so no model is called.
 */
export async function testAgent(
	start: (workingDirectory: string) => Promise<AgentConnection>,
	tested: TestedAgent,
	limit: OpenLimit,
): Promise<{ readonly problem?: Unavailable; readonly models?: ModelChoice }> {
	let models: ModelChoice | undefined;
	const problem = await inTemporaryFolder(tested, async (folder) => {
		const agent = await start(folder);
		try {
			({ models } = await newConversation(agent, limit));
			return undefined;
		} finally {
			await agent.kill();
		}
	});
	return omitUndefined({ problem, models });
}

/** Uses an agent in an empty folder. Returns what is wrong with the agent; undefined if nothing is. */
export async function inTemporaryFolder(
	tested: TestedAgent,
	act: (folder: string) => Promise<Unavailable | undefined>,
): Promise<Unavailable | undefined> {
	const folder = await mkdtemp(join(tmpdir(), "xworkmate-test-"));
	try {
		return await act(folder);
	} catch (error) {
		if (error instanceof Stopped) return silent(tested);
		if (error instanceof AgentFailure) return failed(tested, error.code, error.message);
		throw error;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

function silent(tested: TestedAgent): Unavailable {
	const message = `${tested.profile.label} was started, but did not respond in time.`;
	return { code: "PROVIDER_SILENT", message, fix: `Run \`${startOf(tested)}\` in a terminal to see what it is waiting for.` };
}

function failed(tested: TestedAgent, code: FailedCode, message: string): Unavailable {
	const { label, login } = tested.profile;
	if (code === "PROVIDER_AUTH_REQUIRED")
		return { code, message, fix: login === undefined ? `Sign in with ${label}'s own command.` : `Sign in: ${login}` };
	return { code, message, fix: `Run \`${startOf(tested)}\` in a terminal to see why.` };
}

/** The program with all of its arguments, as it was started: its name alone may not be on PATH, or may start something else. */
function startOf({ profile, program }: TestedAgent): string {
	return commandLine([program.command, ...program.before, ...profile.args]);
}

/** The bridge is stopping, which says nothing about the agent. */
export function testStopped({ label }: AgentLaunch): Unavailable {
	return { code: "TEST_STOPPED", message: `The bridge stopped before ${label} could respond.`, fix: "Test the agent again." };
}
