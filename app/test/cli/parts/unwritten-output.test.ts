import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryHome } from "../../support/temporary-home.ts";

const main = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));

/** What the command says on standard error, and its exit code, with its output sent there by the shell. */
function sent(redirection: string, args: readonly string[]) {
	using home = temporaryHome();
	const script = `"$0" --disable-warning=ExperimentalWarning "$@" ${redirection}`;
	const env = { PATH: process.env.PATH, HOME: home.path, XWORKMATE_HOME: home.path, XWORKMATE_BACKGROUND: "0" };
	const { status, stderr } = spawnSync("/bin/sh", ["-c", script, process.execPath, main, ...args], { encoding: "utf8", env });
	return { status, stderr };
}

it.each(["threads list", "threads list --json", "--version"])(
	"says that its output could not be written: %s",
	(command) => {
		const { status, stderr } = sent(">/dev/full", command.split(" "));
		expect(stderr).toBe("xworkmate: The output couldn't be written. (ENOSPC)\n");
		expect(status).toBe(7);
	},
	30_000,
);

it("is quiet where a reader has gone, as after `| head`", () => {
	const { stderr } = sent("| true", ["threads", "list"]);
	expect(stderr).toBe("");
}, 30_000);

it("writes all of its output, more than a pipe takes at once", () => {
	const watch = JSON.stringify(new URL("../../../src/cli/parts/unwritten-output.ts", import.meta.url).href);
	const program = `
		import { watchOutput } from ${watch};
		const written = watchOutput(process.stdout);
		process.stdout.write("x".repeat(20_000_000));
		await written();
		process.exit();`;
	const counted = spawnSync("/bin/sh", ["-c", `"$0" --input-type=module --eval "$1" | wc -c`, process.execPath, program], {
		encoding: "utf8",
		env: {},
	});
	expect(counted).toMatchObject({ stdout: "20000000\n", stderr: "" });
}, 30_000);

it("ends well where its output was written", () => {
	expect(sent(">/dev/null", ["threads", "list"])).toEqual({ status: 0, stderr: "" });
}, 30_000);
