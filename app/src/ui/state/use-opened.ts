import { useEffect, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";

/** A folder that is opened; without a path, where the user begins. */
interface Wanted {
	readonly path?: string;
}

interface Opened<T> {
	/** What was opened last, and remains until another folder has been opened. */
	readonly shown?: Wanted & { readonly found: T };
	/** Why the last folder could not be opened. */
	readonly problem?: string;
	/** While a folder is opened, the one before is still shown, and a press would take that one. */
	readonly isOpening: boolean;
	open(path: string | undefined): void;
}

/** Lets the user go from folder to folder. Only the answer about the folder that was asked for last counts. */
export function useOpened<T>(read: (wanted: Wanted) => Promise<T>): Opened<T> {
	const [wanted, setWanted] = useState<Wanted>({});
	const [shown, setShown] = useState<Opened<T>["shown"]>();
	const [answered, setAnswered] = useState<Wanted>();
	const [problem, setProblem] = useState<string>();
	// biome-ignore lint/correctness/useExhaustiveDependencies: reads when a folder is asked for, not when the function is another one
	useEffect(() => {
		let stale = false;
		const settle = (act: () => void) => {
			if (stale) return;
			act();
			setAnswered(wanted);
		};
		read(wanted).then(
			(found) =>
				settle(() => {
					setProblem(undefined);
					setShown({ ...wanted, found });
				}),
			(error: unknown) => settle(() => setProblem(sayError(error))),
		);
		return () => {
			stale = true;
		};
	}, [wanted]);
	return {
		...(shown && { shown }),
		...(problem !== undefined && { problem }),
		isOpening: answered !== wanted,
		open: (path) => setWanted(path === undefined ? {} : { path }),
	};
}
