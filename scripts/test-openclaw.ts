import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installPrograms } from "../e2e/agents/install.ts";
import { repositoryRoot } from "./repository.ts";

// `--kills <n>`: rounds of SIGKILL for each of bridge, gateway and app. Other arguments are passed to vitest.
const { values, positionals } = parseArgs({ options: { kills: { type: "string" } }, allowPositionals: true });
const { kills } = values;
if (kills !== undefined && !/^[1-9]\d{0,3}$/.test(kills)) {
	console.error("usage: npm run test:openclaw -- [--kills <rounds>] [<test file>...]");
	process.exit(2);
}

// The gateway is a third-party program: it is installed outside the workspace, and only these tests need it.
await installPrograms(["openclaw"]);

const vitest = join(repositoryRoot, "node_modules", "vitest", "vitest.mjs");
const args = [vitest, "run", "--project", "openclaw", ...positionals];
const env = { ...process.env, ...(kills === undefined ? {} : { XWORKMATE_TEST_KILLS: kills }) };
const { status } = spawnSync(process.execPath, args, { cwd: repositoryRoot, stdio: "inherit", env });
process.exitCode = status ?? 1;
