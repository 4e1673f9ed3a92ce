import { providersFile } from "@xworkmate/contracts/providers-file";
import { FileCheck } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { useProviders } from "../state/app-context.tsx";
import { useClock } from "../state/use-clock.ts";
import { FIRST_FILE, firstProgram, firstPrompt } from "./first-program.ts";
import { FirstTry } from "./first-try.tsx";

/** With one click, produces a finished file. Needs nothing but XWorkmate itself. */
export function FirstFile() {
	const providers = useProviders().filter(({ providerId }) => providerId !== providersFile);
	const program = (now: number) => firstProgram(providers, new Date(now));
	const { label, steps, task, make, takes } = words.first;
	return (
		<FirstTry
			{...{ label, steps, task, press: make }}
			program={program(useClock())}
			message={() => ({ prompt: firstPrompt(program(Date.now())), require: [FIRST_FILE] })}
			facts={
				<>
					<span>
						<Icon of={FileCheck} small /> {words.thread.required}
						<code>{FIRST_FILE}</code>
					</span>
					<span>{takes}</span>
				</>
			}
		/>
	);
}
