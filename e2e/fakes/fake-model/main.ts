/**
 * A model provider for tests, as a process on 127.0.0.1: OpenAI chat completions and Responses,
 * Anthropic messages, Gemini generateContent. Prints `{"url": ...}` on stdout once it is listening; ends on
 * SIGTERM or when its stdin closes. What the prompt says scripts it, steps joined by ` ;; `:
 *
 *   FAKE:DELIVER <text>          thinks aloud, then gives the text as a plan's message
 *   FAKE:SAY <text>              FAKE:THINK <text>            thinks, then says
 *   FAKE:WRITE <path> <text>     by the agent's own tool      FAKE:READ <path>   FAKE:RUN <command>
 *   FAKE:TOOL <name> <json>      exactly that tool
 *   FAKE:SLOW <seconds>          talks that long              FAKE:HANG          headers, then nothing
 *   FAKE:ERR <status>            an HTTP error                FAKE:BIG <bytes>   says that much
 *   FAKE:GARBAGE                 bytes of no dialect          FAKE:NOTHING       a good answer without a word
 *   FAKE:BREAK <fault>           half an answer, then error, cut, end, silent or flood (account-behaviour.ts)
 *   FAKE:PACE <ms> <ms> <count>  talks after a while, and then a word at a time
 *   FAKE:RAW <name> <text>       that tool, with an input that need not be JSON
 *   FAKE:ANSWER <json segments>  the tool `answer`; `$receipt(2)` is the second receipt id of the last tool result that has any
 *   FAKE:OBEY <n>                does the n-th step of `ORDERS:<base64url>` in the last text that it was shown, or the last of them
 *
 * In a path or a command `$XWORKMATE_ARTIFACT_DIRECTORY` is the directory for final files that the prompt
 * states on its own line, as a model that reads prose would find it.
 *
 * `POST /__fake/account` with an `AccountBehaviour` makes requests with a credential go wrong, such as
 * `{"secret": "sk-1", "status": 429, "headers": {"retry-after": "7"}}`; `{"secret": "sk-1"}` alone makes it work again.
 *
 * By hand: `node e2e/fakes/fake-model/main.ts`, then `ANTHROPIC_API_KEY=any XWORKMATE_ANTHROPIC_URL=<url> npm start`, or
 * `OPENAI_BASE_URL=<url>/v1 npm start`. It listens on FAKE_MODEL_PORT, or on any free port.
 *
 * FAKE_MODEL_ACCOUNTS: a JSON list of `AccountBehaviour` to begin with.
 * FAKE_MODEL_LOG: a file that gets one JSON line a request, with its headers and its whole body.
 * FAKE_MODEL_STORIES: a JSON object with the script of prompts that read as a user's, by one of their lines.
 * FAKE_MODEL_ESCALATE=1: shell calls ask to leave the agent's sandbox.
 */
import { env, stdin } from "node:process";
import { z } from "zod";
import { Accounts } from "./account-behaviour.ts";
import { openRequestLog } from "./request-log.ts";
import { createFakeModel } from "./server.ts";

const stories = new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(env.FAKE_MODEL_STORIES ?? "{}"))));
const habits = { escalate: env.FAKE_MODEL_ESCALATE === "1", stories };
const server = createFakeModel(openRequestLog(env.FAKE_MODEL_LOG), Accounts.from(env.FAKE_MODEL_ACCOUNTS), habits);

// A caller on a busy machine would meet a connection that has just been closed; callers close them themselves.
server.keepAliveTimeout = 0;
server.listen(Number(env.FAKE_MODEL_PORT ?? 0), "127.0.0.1", () => {
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
