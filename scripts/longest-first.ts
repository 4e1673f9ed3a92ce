import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { repositoryRoot } from "./repository.ts";

/**
 * Test files that take long, in the order in which they start. In a fresh clone vitest only knows file sizes, and the longest of these
 * tests have only a few lines: if they started last, the other workers would be idle.
 */
export const longestFiles: readonly string[] = [
	"e2e/extended/kill-programs.test.ts",
	"e2e/tests/tools/kill-rows.test.ts",
	"e2e/tests/bridge/kill-bridge.test.ts",
	"e2e/tests/programs/kill-programs.test.ts",
	"e2e/tests/programs/hostile-programs.test.ts",
	"e2e/tests/command/command.test.ts",
	"e2e/tests/command/command-kill.test.ts",
	"e2e/tests/command/command-together.test.ts",
	"e2e/tests/bridge/started-elsewhere.test.ts",
	"e2e/tests/bridge/restart.test.ts",
	"e2e/tests/bridge/kept-bridge.test.ts",
	"e2e/tests/command/npm-start.test.ts",
	"e2e/tests/bridge/earlier-homes.test.ts",
	"e2e/tests/command/command-cut.test.ts",
	"e2e/tests/discord/discord-trouble.test.ts",
	"e2e/tests/discord/discord-assistant.test.ts",
	"e2e/tests/assistant/assistant-reminder.test.ts",
	"e2e/tests/assistant/assistant-kills.test.ts",
	"bridge/test/tools/integrations/tool-calls.test.ts",
	"bridge/test/tools/integrations/acceptance.test.ts",
	"bridge/test/tools/integrations/tool-problems.test.ts",
	"bridge/test/channels/lint/lint.test.ts",
	"bridge/test/plans/text/gate.test.ts",
	"bridge/test/channels/email-tls.test.ts",
	"bridge/test/channels/email-send.test.ts",
	"bridge/test/programs/parked-runs.test.ts",
	"bridge/test/providers/assistant/assistant-turn.test.ts",
	"bridge/test/programs/restart-table.test.ts",
	"bridge/test/providers/assistant/assistant-restart.test.ts",
	"bridge/test/programs/replay-property.test.ts",
	"bridge/test/programs/typed-calls.test.ts",
	"bridge/test/sandbox/compiler/typescript-checker.test.ts",
	"bridge/test/providers/script/script-hostile.test.ts",
	"app/test/process/bridge/bridge-supervisor.test.ts",
	"app/test/cli/parts/unwritten-output.test.ts",
	// The first keeps both cores busy and the next ones mostly wait, so they barely slow each other down.
	"e2e/extended/many-calls.test.ts",
	"e2e/extended/kept-bridge.test.ts",
	"e2e/extended/full-disk.test.ts",
	"e2e/extended/command-kill.test.ts",
	"e2e/extended/command-cut.test.ts",
	"e2e/extended/kill-bridge.test.ts",
	"e2e/extended/hostile-generated.test.ts",
	"e2e/extended/hostile-programs.test.ts",
];

const places = new Map(longestFiles.map((path, index) => [join(repositoryRoot, path), index]));

/** Runs the slow files of a project before its others, which keep their order. */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		return longestFirst(await super.sort(files));
	}
}

/** Files of one project stay together. */
export function longestFirst<T extends { readonly moduleId: string; readonly project: unknown }>(files: readonly T[]): T[] {
	const placeOf = ({ moduleId }: T) => places.get(moduleId) ?? places.size;
	return [...Map.groupBy(files, ({ project }) => project).values()].flatMap((ofProject) =>
		ofProject.toSorted((a, b) => placeOf(a) - placeOf(b)),
	);
}
