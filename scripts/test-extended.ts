import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { agentNames } from "../e2e/agents/agents.ts";
import { installPrograms } from "../e2e/agents/install.ts";
import { repositoryRoot } from "./repository.ts";

// The agents are third-party programs: they are installed outside the workspace, and only their tests need them.
await installPrograms(agentNames);

const vitest = join(repositoryRoot, "node_modules", "vitest", "vitest.mjs");
const args = [vitest, "run", "--project", "extended", "--project", "alone", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: repositoryRoot, stdio: "inherit" });
process.exitCode = status ?? 1;
