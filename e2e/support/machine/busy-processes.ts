import { spawn } from "node:child_process";
import { endByPid } from "./live-processes.ts";

/** Processes that use a core each, until they are disposed of. They end on their own after ten minutes. */
export function busyProcesses(count: number): Disposable {
	const children = Array.from({ length: count }, () =>
		spawn(process.execPath, ["-e", "const end = Date.now() + 600000; while (Date.now() < end);"], { stdio: "ignore" }),
	);
	return {
		[Symbol.dispose]() {
			for (const { pid } of children) if (pid !== undefined) endByPid(pid);
		},
	};
}
