/**
 * A model provider for tests, as a process on 127.0.0.1: OpenAI chat completions and Responses,
 * Anthropic messages, Gemini generateContent. Prints `{"url": ...}` on stdout once it listens; ends on
 * SIGTERM or when its stdin closes. What the prompt says scripts it, steps joined by ` ;; `:
 *
 *   FAKE:SAY <text>              FAKE:THINK <text>            thinks, then says
 *   FAKE:WRITE <path> <text>     by the agent's own tool      FAKE:READ <path>   FAKE:RUN <command>
 *   FAKE:TOOL <name> <json>      exactly that tool
 *   FAKE:SLOW <seconds>          talks that long              FAKE:HANG          headers, then nothing
 *   FAKE:ERR <status>            an HTTP error                FAKE:BIG <bytes>   says that much
 *   FAKE:GARBAGE                 bytes of no dialect          FAKE:NOTHING       a good answer without a word
 *
 * In a path or a command `$XWORKMATE_ARTIFACT_DIRECTORY` is the directory for final files that the prompt
 * states on its own line, as a model that reads prose would find it.
 *
 * FAKE_MODEL_LOG: a file that gets one JSON line a request, with its whole body.
 * FAKE_MODEL_ESCALATE=1: shell calls ask to leave the agent's sandbox.
 */
import { env, stdin } from "node:process";
import { openRequestLog } from "./request-log.ts";
import { createFakeModel } from "./server.ts";

const server = createFakeModel(openRequestLog(env.FAKE_MODEL_LOG), env.FAKE_MODEL_ESCALATE === "1");

server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("the fake model listens on no port");
	console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
});

function end(): void {
	server.close();
	server.closeAllConnections();
	stdin.destroy();
}

process.once("SIGTERM", end);
stdin.once("end", end).once("error", end).resume();
