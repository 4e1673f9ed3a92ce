import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/doctor/diagnose.ts";
import { fakeTasks } from "../support/fake-tasks.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const allowed = { plugins: { entries: { xworkmate: { hooks: { allowConversationAccess: true } } } } };

function gateway({ version = "2026.9.6", config = allowed }: { readonly version?: string; readonly config?: unknown } = {}) {
	return {
		version: "0.1.0",
		runtime: {
			version,
			config: { current: () => config },
			state: { resolveStateDir: () => "/" },
			agent: { resolveAgentWorkspaceDir: () => "/", session: { patchSessionEntry: () => undefined } },
			tasks: fakeTasks().runtime.tasks,
		},
	};
}

describe("xworkmate.doctor", () => {
	it("finds nothing wrong with a gateway that is ready, and names what one lacks with its fix", async () => {
		await using folder = await temporaryFolder();
		const probe = join(folder.path, "probe");
		const codes = (lacking: Parameters<typeof gateway>[0]) => diagnose(gateway(lacking), probe).problems.map(({ code }) => code);
		expect(diagnose(gateway(), probe)).toEqual({ contractVersion: 1, pluginVersion: "0.1.0", gatewayVersion: "2026.9.6", problems: [] });
		expect(codes({ config: {} })).toEqual(["CONVERSATION_ACCESS_DENIED"]);
		expect(codes({ version: "2027.1.0" })).toEqual(["GATEWAY_VERSION_UNTESTED"]);
		// The setting's name on the page.
		const [untested] = diagnose(gateway({ version: "2027.1.0" }), probe).problems;
		expect(untested?.fix).toContain('turn on "Untested OpenClaw versions" under Settings > OpenClaw');
		expect(
			codes({ config: { plugins: { entries: { xworkmate: { hooks: { allowConversationAccess: true, allowPromptInjection: false } } } } } }),
		).toEqual(["PROMPT_CONTEXT_DENIED"]);
		writeFileSync(join(folder.path, "file"), "");
		expect(diagnose(gateway(), join(folder.path, "file", "probe")).problems).toMatchObject([{ code: "STATE_NOT_WRITABLE" }]);
	});
});
