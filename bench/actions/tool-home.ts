import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type BridgeProcess, startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import type { TemporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { waitUntil } from "../../e2e/support/machine/wait-until.ts";
import { endWithBench } from "../scratch.ts";

const LISTED_BOUND_MS = 60_000;
const Listed = z.object({ integrations: z.array(z.object({ integration: z.string(), state: z.string() })) });

/** A tool file with a read that does nothing and is allowed, and a write that the user has to allow. */
export function toolFile(integration: string): string {
	const tool = (name: string, risk: string) => `
export const ${name} = defineTool({
	id: "${integration}.thing.${name}",
	risk: "${risk}",
	input: z.strictObject({ at: z.number() }),
	output: z.object({ at: z.number() }),
	handler: async ({ at }) => ({ at }),
});
`;
	return `import { defineTool } from "@xworkmate/tool";\nimport { z } from "zod";\n${tool("look", "read")}${tool("change", "write")}`;
}

export async function writeTools(home: TemporaryHome, integration: string): Promise<void> {
	const folder = join(home.xworkmate, "tools", integration);
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, "tools.ts"), toolFile(integration));
}

/** Settles once the bridge lists at least this many integrations whose tools may be called. */
export async function untilListed(bridge: BridgeProcess, count: number): Promise<void> {
	await waitUntil("the tools to be listed", LISTED_BOUND_MS, async () => {
		const { integrations } = Listed.parse(await bridge.client().rpc("xworkmate.tools.list"));
		return integrations.filter(({ state }) => state === "active").length >= count ? true : undefined;
	});
}

/** A bridge that accepts the tools of its home, with these integrations in it. */
export async function startWithTools(
	home: TemporaryHome,
	integrations: readonly string[],
	env: Record<string, string> = {},
): Promise<BridgeProcess> {
	for (const integration of integrations) await writeTools(home, integration);
	const bridge = await startBridge({ home, env: { XWORKMATE_LOG_LEVEL: "warn", XWORKMATE_TOOLS_ACCEPT: "auto", ...env } });
	endWithBench(bridge.pid);
	await untilListed(bridge, integrations.length);
	return bridge;
}
