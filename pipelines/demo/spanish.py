"""La ayuda de un vivero: a garden centre's help, in Spanish."""

from pipelines.demo.topics import Talk, Topic

_TOPICS = (
    Topic(
        title="Riego de tomates",
        questions=("¿Cada cuánto debo regar los tomates?", "¿Por qué se agrietan los tomates al regar?"),
        facts=(
            "Los tomates se deben regar cada dos días, al amanecer y sin mojar las hojas.",
            "Los tomates se agrietan cuando se riegan mucho después de una sequía.",
            "Un acolchado de paja permite regar los tomates la mitad.",
            "Con goteo bastan dos litros por tomatera y día.",
        ),
        follow_ups=("¿Y con goteo?", "¿Cuántos litros son?"),
    ),
    Topic(
        title="Poda de rosales",
        questions=("¿Cuándo se podan los rosales trepadores?", "¿Cómo podar rosales viejos?"),
        facts=(
            "Los rosales trepadores se podan al final del invierno, antes de brotar.",
            "Para podar rosales viejos se cortan las ramas secas a ras del suelo.",
            "El corte de la poda va inclinado, sobre una yema exterior.",
            "Desinfecte las tijeras de podar con alcohol entre rosales.",
        ),
        follow_ups=("¿Dónde va el corte?", "¿Y los trepadores?"),
    ),
    Topic(
        title="Envíos a domicilio",
        questions=("¿Cuánto tarda el envío a domicilio?", "¿Cuánto cuesta el envío de macetas grandes?"),
        facts=(
            "El envío a domicilio tarda tres días laborables en la península.",
            "El envío de macetas grandes cuesta doce euros por palé.",
            "Los envíos salen los lunes para no pasar el fin de semana en almacén.",
            "El repartidor avisa por mensaje una hora antes del envío.",
        ),
        follow_ups=("¿Y a las islas?", "¿Avisan antes?"),
    ),
    Topic(
        title="Plagas de pulgón",
        questions=("¿Cómo elimino el pulgón de las habas?", "¿Sirve el jabón potásico contra el pulgón?"),
        facts=(
            "El pulgón de las habas se elimina despuntando los brotes tiernos.",
            "El jabón potásico sirve contra el pulgón, al dos por ciento y al atardecer.",
            "Las mariquitas comen cien pulgones diarios.",
            "Repita el jabón a los siete días si queda pulgón.",
        ),
        follow_ups=("¿En qué proporción?", "¿Hay que repetir?"),
    ),
    Topic(
        title="Compost casero",
        questions=("¿Qué residuos van al compost casero?", "¿Por qué huele mal mi compost?"),
        facts=(
            "Al compost casero van residuos de fruta, posos de café y hojas secas.",
            "El compost huele mal cuando le falta aire: hay que voltearlo.",
            "La carne y el aceite son residuos prohibidos en el compost.",
            "En seis meses el compost casero está maduro.",
        ),
        follow_ups=("¿Y la carne?", "¿Cuándo está maduro?"),
    ),
    Topic(
        title="Césped en verano",
        questions=("¿A qué altura corto el césped en verano?", "¿Qué abono necesita el césped amarillo?"),
        facts=(
            "En verano el césped se corta a seis centímetros de altura.",
            "El césped amarillo necesita abono rico en hierro y nitrógeno.",
            "Corte el césped con la cuchilla afilada y nunca a mediodía.",
            "Airee el césped compacto con una horca en otoño.",
        ),
        follow_ups=("¿Y en otoño?", "¿A qué hora es mejor?"),
    ),
    Topic(
        title="Orquídeas de interior",
        questions=("¿Cuándo trasplanto una orquídea de interior?", "¿Qué luz necesita la orquídea?"),
        facts=(
            "Una orquídea de interior se trasplanta cada dos años, tras la floración.",
            "La orquídea necesita luz tamizada, junto a una ventana al este.",
            "Use corteza de pino para trasplantar la orquídea, nunca tierra.",
            "Raíces verdes de orquídea no piden agua; grises, sí.",
        ),
        follow_ups=("¿Con qué sustrato?", "¿Cómo sé si pide agua?"),
    ),
    Topic(
        title="Factura y pago",
        questions=("¿Cómo descargo la factura del pedido?", "¿Puedo pagar la factura a plazos?"),
        facts=(
            "La factura del pedido se descarga desde el área de cliente.",
            "Se puede pagar la factura en tres plazos a partir de noventa euros.",
            "Para empresas la factura lleva el número fiscal.",
            "El pago con tarjeta del pedido se carga al salir del almacén.",
        ),
        follow_ups=("¿Desde qué importe?", "¿Y para empresas?"),
    ),
    Topic(
        title="Invernaderos",
        questions=("¿Qué invernadero aguanta el viento fuerte?", "¿Cómo ventilar el invernadero pequeño?"),
        facts=(
            "El invernadero de policarbonato aguanta viento de noventa kilómetros por hora si está anclado.",
            "Para ventilar el invernadero pequeño basta abrir el techo por la mañana.",
            "Una malla de sombra baja ocho grados el invernadero.",
            "El montaje del invernadero lleva cuatro horas entre dos personas.",
        ),
        follow_ups=("¿Cuánto lleva montarlo?", "¿Y la sombra?"),
    ),
    Topic(
        title="Garantía de plantas",
        questions=("¿Qué garantía tienen las plantas vivas?", "¿Cómo reclamo la garantía de un árbol?"),
        facts=(
            "Las plantas vivas tienen garantía de treinta días desde la entrega.",
            "Para reclamar la garantía de un árbol envíe dos fotos y el albarán.",
            "Las heladas quedan fuera de la garantía de plantas.",
            "Los árboles frutales tienen garantía de un año si los plantamos nosotros.",
        ),
        follow_ups=("¿Cubre las heladas?", "¿Y los frutales?"),
    ),
)

SPANISH = Talk(
    language="es",
    topics=_TOPICS,
    short=("vale", "¡gracias!", "sí", "genial", "mm"),
    nods=("Sí, la segunda por favor.", "Siga, cuénteme más.", "De acuerdo, me parece bien."),
    corrections=("Eso ya lo hemos probado.", "A esa ya le dije que no.", "No, eso no nos funcionó."),
    farewells=("Muchas gracias, ¡adiós!", "Eso era todo, buenas tardes."),
    courtesies=("¿Puedo ayudarle en algo más?", "No dude en escribirnos.", ""),
    disclaimers=(
        "Lo siento, no lo sé.",
        "No tengo información sobre eso.",
        "No he encontrado información al respecto. Por favor, contacte con nuestro equipo.",
        "Los documentos no mencionan ese punto.",
    ),
    partial=("No estoy seguro de su caso exacto, pero esto es lo que hay:", "No tengo todos los detalles, pero"),
    snippet="Ya preguntado: {question} Quedó así: {fact}",
    rewrite="{title}: {question}",
)
