import type { ClaimWords } from "./claim-words.ts";

export const german: ClaimWords = {
	self: "ich wir xworkmate assistent",
	other: "du sie er ihr man jemand niemand",
	passive: "wurde wurden worden ist sind war waren",
	made: "erstellt angelegt aktualisiert hinzugefügt gespeichert geschrieben geändert bearbeitet erzeugt exportiert hochgeladen umbenannt verschoben fertig abgeschlossen erledigt behoben konfiguriert eingerichtet installiert entfernt kopiert ersetzt gebaut eingefügt ergänzt angepasst vollendet erstellte aktualisierte speicherte",
	acted:
		"geplant eingeplant terminiert eingetragen eingestellt angesetzt gelöscht gesendet geschickt verschickt versendet versandt gemailt benachrichtigt gebucht reserviert erinnert abgesagt storniert gekündigt bezahlt gezahlt überwiesen erstattet gekauft bestellt gepostet veröffentlicht getwittert bereitgestellt deployt deployed ausgerollt gestartet neugestartet eingereicht eingeladen bestätigt vereinbart gesetzt gestellt geschlossen zugewiesen archiviert abbestellt aktiviert deaktiviert widerrufen freigegeben angenommen weitergeleitet geteilt angemeldet registriert ausgeliefert ausgeführt aufgegeben durchgeführt vorgenommen abgebucht löschte buchte sendete schickte bezahlte",
	own: "verifiziert getestet gesichert wiederhergestellt unterschrieben zurückgesetzt informiert gegeben gesagt",
	selfDone: "",
	off: "nicht kein keine keinen keinem keiner keines nie niemals nichts weder noch kann kannst können könnte könnten werde wirst wird werden würde würden soll sollte sollen möchte möchten will wollen muss müsste darf dürfte fehlgeschlagen gescheitert scheiterte verweigert unmöglich erfolglos leider bitte lass lassen versuche versucht bereit gleich demnächst ausstehend",
	condition: "wenn falls ob sobald solange bis bevor nachdem wie was wo warum wann sofern",
	reading: "gefunden sehe sah gesehen gelesen laut zeigt steht stehen besagt gemäß nachgesehen nachgeschaut nachgeschlagen",
	past: "gestern letzte letzten letzter letztes vorgestern ursprünglich früher zuletzt derzeit aktuell nächste nächster nächstes üblicherweise damals",
	text: "unten oben hier folgende folgenden folgendes entwurf zusammenfassung erklärung beispiel beispiele überblick übersicht übersetzung gliederung vergleich vorschlag vorschläge antwort absatz satz",
	thing:
		"erinnerung termin besprechung meeting treffen ereignis wecker e-mail email mail nachricht einladung zahlung rechnung buchung reservierung ticket bestellung beitrag post kalender kalendereintrag flug zimmer tisch überweisung erstattung abo konto benutzer benachrichtigung aufgabe eintrag datei anruf",
	determiner:
		"der die das den dem des ein eine einen einem einer ihr ihre ihren dein deine deinen mein meine unser unsere dieser diese dieses jeder jede kürzlich neu",
	lead: "erfolgreich jetzt nun gerade soeben auch bereits schon alles ok okay ja gut klar prima super perfekt",
	after: "für an am um in im bei auf mit von zu zum zur und erfolgreich alle beide",
	and: "und oder",
	but: "aber jedoch doch sondern obwohl also dann weil da",
	by: "von durch",
	common: "der die das und in im am um für mit auf zu zum den dem ein eine es mir dir ihnen ihre habe hat haben hatte dass",
	phrases:
		"steht jetzt in deinem kalender | steht jetzt in ihrem kalender | steht nun in deinem kalender | steht nun in ihrem kalender | ist jetzt in deinem kalender | ist jetzt in ihrem kalender | steht in deinem kalender | ist in deinem kalender | ist in ihrem kalender | alles klar erledigt | alles bereit | ist jetzt live | ist live | ist raus | ging raus | habe mich darum gekümmert | ist gestellt",
	harmless:
		"kein problem | keine probleme | ohne probleme | keine fehler | nicht nur | keine sorge | wie gewünscht | wie besprochen | wie vereinbart | wie geplant",
	target:
		"dokument bericht tabelle liste zeile spalte seite website webseite version branch code skript commit build patch fix test ordner entwurf notiz änderung änderungen update kommentar projekt datenbank server einstellung kontakt gruppe kanal playlist licht tür paket artikel warenkorb formular antrag antwort anfrage frage mitgliedschaft plan schlüssel passwort foto bild video präsentation sicherung job restaurant hotel betrag geld gebühr geschenk deployment löschung dateien termine nachrichten mails e-mails erinnerungen tickets rechnungen",
	yours: "dein deine deinen deinem deiner ihr ihre ihren ihrem mein meine unser unsere unseren",
	told: "benachrichtigt eingeladen erinnert informiert gemailt",
	place: "in im am an auf bei aus seit während zwischen nach innerhalb binnen weltweit vor",
	team: "dem der den einem einer beiden zwei drei",
	describing: "besteht aus | hergestellt in | hergestellt aus",
};
