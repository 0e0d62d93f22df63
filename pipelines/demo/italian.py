"""La guida di un programma di fatturazione: an invoicing program's help, in Italian."""

from pipelines.demo.topics import Talk, Topic

_TOPICS = (
    Topic(
        title="Fattura elettronica",
        questions=("Come invio una fattura elettronica?", "Perché la fattura elettronica viene scartata?"),
        facts=(
            "Una fattura elettronica si invia dal pulsante verde in alto, dopo il controllo.",
            "La fattura elettronica viene scartata se manca il codice destinatario.",
            "Una fattura scartata si corregge e si invia di nuovo entro cinque giorni.",
            "La ricevuta della fattura arriva in genere dopo dieci minuti.",
        ),
        follow_ups=("Entro quanti giorni?", "E la ricevuta?"),
    ),
    Topic(
        title="Utenti e permessi",
        questions=("Come aggiungo un utente con permessi limitati?", "Quali permessi ha un utente contabile?"),
        facts=(
            "Un utente con permessi limitati si aggiunge dalle impostazioni, scheda persone.",
            "L'utente contabile ha permessi di lettura e di esportazione.",
            "I permessi di un utente cambiano subito, senza nuovo accesso.",
            "Ogni piano comprende cinque utenti; altri costano tre euro.",
        ),
        follow_ups=("Quanti sono compresi?", "Cambiano subito?"),
    ),
    Topic(
        title="Importare clienti",
        questions=("Come importo i clienti da un foglio di calcolo?", "Quante righe di clienti posso importare?"),
        facts=(
            "I clienti si importano da un foglio di calcolo con la prima riga di intestazioni.",
            "Si possono importare ventimila righe di clienti per volta.",
            "Le righe doppie vengono unite per partita fiscale.",
            "Un'anteprima mostra i clienti prima di importare.",
        ),
        follow_ups=("E le righe doppie?", "C'è un'anteprima?"),
    ),
    Topic(
        title="Abbonamento e rinnovo",
        questions=("Quando si rinnova il mio abbonamento annuale?", "Come disdico l'abbonamento prima del rinnovo?"),
        facts=(
            "L'abbonamento annuale si rinnova lo stesso giorno dell'acquisto.",
            "L'abbonamento si disdice fino alla sera prima del rinnovo, dalla pagina del conto.",
            "Un avviso di rinnovo parte trenta giorni prima.",
            "Chi passa dal mensile all'abbonamento annuale risparmia due mesi.",
        ),
        follow_ups=("Mandate un avviso?", "E da mensile ad annuale?"),
    ),
    Topic(
        title="Copie di sicurezza",
        questions=("Dove sono le copie di sicurezza degli archivi?", "Come ripristino una copia di sicurezza?"),
        facts=(
            "Le copie di sicurezza degli archivi stanno in due centri europei, cifrate.",
            "Una copia di sicurezza si ripristina scegliendo la data nel calendario.",
            "Le copie restano disponibili novanta giorni.",
            "Il ripristino degli archivi dura di solito un quarto d'ora.",
        ),
        follow_ups=("Per quanto tempo restano?", "Quanto dura?"),
    ),
    Topic(
        title="Collegare la banca",
        questions=("Come collego il conto della banca?", "Ogni quanto si aggiornano i movimenti della banca?"),
        facts=(
            "Il conto della banca si collega con il consenso, valido centottanta giorni.",
            "I movimenti della banca si aggiornano quattro volte al giorno.",
            "La riconciliazione abbina i movimenti agli incassi per importo.",
            "Il consenso della banca scaduto si rinnova con un tocco.",
        ),
        follow_ups=("E quando scade?", "Come vengono abbinati?"),
    ),
    Topic(
        title="Stampante di scontrini",
        questions=("Quale stampante di scontrini è compatibile?", "Perché la stampante taglia male gli scontrini?"),
        facts=(
            "È compatibile ogni stampante di scontrini termica da ottanta millimetri.",
            "La stampante taglia male gli scontrini quando la lama è sporca.",
            "Il rotolo termico va inserito con il lato lucido in alto.",
            "Aggiornate il firmware della stampante una volta all'anno.",
        ),
        follow_ups=("Da che lato va il rotolo?", "E il firmware?"),
    ),
    Topic(
        title="Preventivi e sconti",
        questions=("Come applico uno sconto a un preventivo?", "Un preventivo accettato diventa ordine?"),
        facts=(
            "Lo sconto si applica a una riga o al totale del preventivo.",
            "Un preventivo accettato diventa ordine con un clic.",
            "Il preventivo scade dopo trenta giorni, salvo modifica.",
            "Gli sconti oltre il venti per cento chiedono approvazione.",
        ),
        follow_ups=("Quando scade?", "Serve un'approvazione?"),
    ),
    Topic(
        title="Accesso a due fattori",
        questions=("Come attivo l'accesso a due fattori?", "Ho perso il telefono dei due fattori, come faccio?"),
        facts=(
            "L'accesso a due fattori si attiva dal profilo, inquadrando il quadratino.",
            "Chi ha perso il telefono dei due fattori usa uno dei dieci codici di riserva.",
            "I codici di riserva si stampano una volta sola.",
            "L'amministratore può azzerare i due fattori di un collega.",
        ),
        follow_ups=("Dove stanno i codici?", "Può farlo l'amministratore?"),
    ),
    Topic(
        title="Magazzino e scorte",
        questions=("Come imposto la soglia minima delle scorte?", "Il magazzino scala le scorte con i resi?"),
        facts=(
            "La soglia minima delle scorte si imposta nella scheda dell'articolo.",
            "Il magazzino scala le scorte alla spedizione e le riporta con i resi.",
            "Sotto la soglia parte un ordine proposto al fornitore.",
            "L'inventario del magazzino si conta anche con il lettore.",
        ),
        follow_ups=("E sotto la soglia?", "Si può usare il lettore?"),
    ),
)

ITALIAN = Talk(
    language="it",
    topics=_TOPICS,
    short=("va bene", "grazie!", "sì", "ottimo", "mh"),
    nods=("Sì, la seconda per favore.", "Continui, mi dica di più.", "D'accordo, mi va bene."),
    corrections=("L'abbiamo già provato.", "A quella ho detto di no.", "No, da noi non ha funzionato."),
    farewells=("Grazie mille, arrivederci!", "Era tutto, buona serata a voi."),
    courtesies=("Posso aiutarla in altro?", "Non esiti a scriverci.", ""),
    disclaimers=(
        "Mi dispiace, non lo so.",
        "Non ho informazioni al riguardo.",
        "Non ho trovato informazioni su questo punto. Può contattare il nostro team.",
        "I documenti non specificano questo punto.",
    ),
    partial=("Non sono sicuro del suo caso preciso, ma ecco cosa risulta:", "Non ho tutti i dettagli, ma"),
    snippet="Chiesto prima: {question} Fu deciso: {fact}",
    rewrite="{title}: {question}",
)
