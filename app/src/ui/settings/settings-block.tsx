import type { ReactNode } from "react";

/** A titled section of the settings. */
export function Block({ title, children, end }: { readonly title: string; readonly children: ReactNode; readonly end?: ReactNode }) {
	return (
		<section className="block" aria-label={title}>
			<h3>
				{title}
				<span className="grow" />
				{end}
			</h3>
			{children}
		</section>
	);
}
