import { FileCheck } from "lucide-react";
import { useMemo } from "react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { useProviders } from "../state/app-context.tsx";
import { FIRST_FILE, firstProgram, firstPrompt } from "./first-program.ts";
import { FirstTry } from "./first-try.tsx";

/** With one click, produces a finished file. Needs nothing but XWorkmate itself. */
export function FirstFile() {
	const providers = useProviders();
	const program = useMemo(() => firstProgram(providers), [providers]);
	const { label, steps, task, make, takes } = words.first;
	return (
		<FirstTry
			{...{ label, steps, task, program, press: make }}
			message={{ prompt: firstPrompt(program), require: [FIRST_FILE] }}
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
